/** Networks on which many people may share an address and a tag or memo names the person. None of them is checked. */
import { readQuery, tagOf } from './uri-query.ts'

/** Names of networks in lower case without spaces and punctuation. */
const TAG_NETWORKS: ReadonlySet<string> = new Set(
  [
    'xrp xrpl xrpledger ripple',
    'stellar xlm',
    'ton toncoin theopennetwork opennetwork',
    'cosmos cosmoshub atom osmosis osmo kava injective inj sei thorchain rune celestia tia dydx axelar axl band',
    'terra luna lunc terraclassic secret scrt cryptoorg cronospos bnbbeacon bnbbeaconchain beaconchain bep2 cosmossdk',
    'eos vaulta wax telos hive steem iost',
    'hedera hbar hederahashgraph',
    'stacks stx',
    'nem xem icp internetcomputer',
  ].flatMap((names) => names.split(' ')),
)

const plainName = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Whether payments on this network may need a tag or memo beside the address. */
export const usesTags = (network: string): boolean =>
  network
    .split(/[()[\]/]/)
    .map((part) => plainName(part))
    .some(
      (name) => TAG_NETWORKS.has(name) || TAG_NETWORKS.has(name.replace(/(?:mainnet|network|blockchain|chain)$/, '')),
    )

export interface TaggedAddress {
  readonly address: string
  readonly tag: string | null
}

/** TON's raw form, `0:` and hexadecimal digits: the colon is part of the address. */
const RAW_TON = /^-?\d:/

/** An address and its tag, from `address?dt=7`, `?memo=7` and `address:7`. On other networks an address has no tag. */
export function splitTag(network: string, text: string): TaggedAddress {
  const whole = { address: text, tag: null }
  if (!usesTags(network)) return whole
  const [address = '', ...query] = text.split('?')
  if (query.length > 0) {
    const tag = tagOf(readQuery(query.join('?')))
    return tag === null || address === '' ? whole : { address, tag }
  }
  const [, before, after] = /^([^:]+):([^:]+)$/.exec(text) ?? []
  return before === undefined || after === undefined || RAW_TON.test(text) ? whole : { address: before, tag: after }
}

/** Payment URIs that wallets read, by the network's coin. For a token, they would request the coin instead. */
const PAYMENT_URIS: ReadonlyMap<string, (address: string, tag: string) => string> = new Map([
  ['XRP', (address, tag) => `${address}?dt=${tag}`],
  // SEP-7.
  [
    'XLM',
    (address, tag) =>
      `web+stellar:pay?destination=${address}&memo=${tag}&memo_type=${/^\d+$/.test(tag) ? 'MEMO_ID' : 'MEMO_TEXT'}`,
  ],
  ['TON', (address, tag) => `ton://transfer/${address}?text=${tag}`],
])

/** The text of the QR code: the address, with its tag if wallets read a URI with both. */
export function scannedAddress(code: string, { address, tag }: TaggedAddress): string {
  const write = tag === null ? undefined : PAYMENT_URIS.get(code.toUpperCase())
  return write && tag !== null ? write(address, encodeURIComponent(tag)) : address
}
