/**
 * Chains with Ethereum's addresses, by name. A separate file, because the first load needs only the networks in
 * networks.ts.
 */
import { KNOWN_NETWORKS } from './networks.ts'

/**
 * Main networks by chain id (EIP-155), with the names and codes that gateways use, in lower case without spaces and
 * punctuation. Contains only chains whose one address format is `0x` and 40 digits with EIP-55's checksum. Chains with
 * a second format (Kava, Sei, Injective, Harmony, Ronin, XDC, Zilliqa …) or another checksum (Rootstock, Wanchain) are
 * not here, so they are not checked. `isNamedEvm` finds names that end with `EVM`.
 */
export const EVM_CHAINS: Readonly<Record<number, string>> = {
  2: 'expanse',
  8: 'ubiq ubq',
  14: 'flare flr',
  19: 'songbird sgb songbirdcanary',
  20: 'elastossmartchain elasmartchain esc',
  24: 'kardiachain kai',
  25: 'cronos cronosbeta crc20',
  42: 'lukso lyx',
  60: 'gochain',
  61: 'ethereumclassic etc',
  74: 'idchain',
  82: 'meter mtr',
  88: 'viction vic tomochain tomo',
  96: 'kub bitkub bitkubchain',
  108: 'thundercore tt',
  109: 'shibarium bone',
  122: 'fuse',
  128: 'heco huobieco huobiecochain huobiheco hrc20',
  130: 'unichain',
  143: 'monad mon',
  146: 'sonic',
  169: 'mantapacific',
  177: 'hashkeychain hsk hskchain',
  185: 'mint',
  196: 'xlayer okb',
  199: 'bittorrentchain bttc',
  204: 'opbnb',
  223: 'b2 bsquared b2network',
  232: 'lens lenschain',
  246: 'energyweb ewt energywebchain ewc',
  248: 'oasys oas',
  250: 'fantom fantomopera opera ftm',
  252: 'fraxtal frax',
  255: 'kroma',
  288: 'boba bobanetwork',
  291: 'orderly',
  321: 'kcc kcs kucoincommunitychain kucoin krc20',
  324: 'zksync zksyncera zk',
  360: 'shape',
  361: 'theta tfuel',
  369: 'pulsechain pulse pls',
  478: 'form',
  480: 'worldchain wld',
  690: 'redstone',
  820: 'callisto clo',
  957: 'lyra derive',
  999: 'hyperliquid hyperevm hype',
  1030: 'confluxespace cfxespace',
  1088: 'metis metisandromeda andromeda',
  1101: 'polygonzkevm',
  1111: 'wemix',
  1116: 'core coredao corechain',
  1135: 'lisk lsk',
  1284: 'moonbeam glmr',
  1285: 'moonriver movr',
  1480: 'vana',
  1514: 'story ip storyprotocol',
  1625: 'gravity',
  1729: 'reya',
  1750: 'metall2',
  1868: 'soneium',
  1890: 'lightlink',
  1923: 'swell swellchain',
  2000: 'dogechain',
  2345: 'goat',
  2741: 'abstract abs',
  2818: 'morph',
  3637: 'botanix',
  3776: 'astarzkevm',
  4200: 'merlin merlinchain',
  4326: 'megaeth mega',
  4337: 'beamsubnet onbeam',
  5000: 'mantle mnt',
  5031: 'somnia somi',
  5165: 'bahamut ftn',
  5330: 'superseed',
  6001: 'bouncebit',
  7200: 'exsat',
  7560: 'cyber',
  8217: 'kaia klaytn klay',
  8333: 'b3',
  9745: 'plasma xpl',
  10001: 'ethereumpow ethpow ethw powethereum',
  13371: 'immutablezkevm immutable imx',
  16661: '0g',
  23294: 'oasissapphire sapphire',
  31612: 'mezo',
  32520: 'bitgert brise',
  32659: 'fusion fsn',
  33139: 'apechain ape',
  34443: 'mode',
  39797: 'energi nrg',
  41923: 'educhain edu',
  42170: 'arbitrumnova nova arbnova',
  42262: 'oasisemerald emerald',
  42766: 'zkfair',
  42793: 'etherlink',
  43111: 'hemi',
  47763: 'neox',
  47805: 'rei',
  48900: 'zircuit',
  50104: 'sophon',
  53935: 'dfkchain dfk',
  55244: 'superposition',
  57073: 'ink inkonchain',
  60808: 'bob buildonbitcoin',
  71402: 'godwoken',
  80094: 'berachain bera',
  81457: 'blast',
  88888: 'chiliz chz chilizchain',
  98866: 'plume',
  100009: 'vechain vet vechainthor vtho',
  167000: 'taiko',
  200901: 'bitlayer',
  543210: 'zeronetwork',
  660279: 'xai',
  747474: 'katana',
  810180: 'zklinknova zklink',
  7777777: 'zora',
  21000000: 'corn',
  666666666: 'degen',
  888888888: 'ancient8',
  994873017: 'lumia',
  1313161554: 'aurora',
  11297108109: 'palm',
}

const BY_NAME: ReadonlyMap<string, number> = new Map([
  ...KNOWN_NETWORKS.filter(({ family }) => family === 'ethereum').flatMap(({ names }) => {
    const all = names.split(' ')
    const id = Number(all.find((name) => name.startsWith('eip155'))?.slice('eip155'.length))
    return all.map((name) => [name, id] as const)
  }),
  ...Object.entries(EVM_CHAINS).flatMap(([id, names]) => names.split(' ').map((name) => [name, Number(id)] as const)),
])

/** Words that may end a name: `Fantom Opera Network` is `Fantom Opera`. */
const LAST_WORD = /(?:mainnet|network|blockchain|chain|protocol|rollup|layer2|l1|l2)$/

/** The names of one network in a text: `Fantom (ERC20)` and `Fantom ERC-20` are two names. */
const namesIn = (text: string): readonly string[] =>
  text
    .trimEnd()
    .replace(/[\s_-]([a-z]rc|[a-z]ep)[\s_-]?(\d+)$/i, '/$1$2')
    .split(/[()[\]/]/)
    .map((part) => part.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .filter((part) => part !== '')

function chainOfName(name: string): number | null {
  const known = BY_NAME.get(name)
  if (known !== undefined) return known
  const id = /^eip155(\d{1,18})$/.exec(name)?.[1]
  if (id !== undefined) return Number(id)
  const shorter = name.replace(LAST_WORD, '')
  return shorter === name || shorter === '' ? null : chainOfName(shorter)
}

/** `Kava EVM`, `Polygon zkEVM`, `EVM`; not `Sei (non-EVM)`. */
const isNamedEvm = (name: string): boolean => /evm$/.test(name.replace(LAST_WORD, '')) && !/nonevm/.test(name)

/** The chain id for a network's name; null if no known chain has it, or if its parts name different chains. */
export function evmChainId(network: string): number | null {
  const [first, ...others] = new Set(namesIn(network).map(chainOfName))
  return others.length === 0 ? (first ?? null) : null
}

/** True if each name in the text is of a chain with Ethereum's addresses, or one of them ends with `EVM`. */
export function isEvmNetwork(network: string): boolean {
  const names = namesIn(network)
  if (names.length === 0 || names.some((name) => /nonevm/.test(name))) return false
  return names.some(isNamedEvm) || names.every((name) => chainOfName(name) !== null)
}
