import type { Currency } from './catalogue.ts'
import { USUAL_CURRENCIES } from './catalogue.ts'
import { NETWORKS } from './networks.ts'
import type { NetworkName } from './networks.ts'
import { deterministicBytes, deterministicUuid } from './deterministic-ids.ts'

const LONG_LIST_LENGTH = 300

const TOKEN_NETWORKS: readonly NetworkName[] = ['Ethereum', 'Tron', 'Solana', 'Polygon']

/** Names that are hard to lay out, or that must not be interpreted as markup. */
const AWKWARD_NAMES: readonly string[] = [
  'A token whose name goes on and on so that no column is ever wide enough for the whole of it',
  '<b>Bold</b> & "Quoted" Token',
  'عملة تجريبية',
  '試験用トークン',
  'Zürich Öre ✓',
  'Turned \u202Earound',
]

const AWKWARD_CODES: readonly string[] = ['1INCH', 'x', 'VERYLONGTICKER2026', 'a.b-c', 'USDT.e', 'ÖRE']

function extra(at: number): Currency {
  const network = TOKEN_NETWORKS[at % TOKEN_NETWORKS.length] ?? 'Ethereum'
  const number = String(at + 1).padStart(3, '0')
  return {
    id: deterministicUuid('currency', 'extra', number),
    name: AWKWARD_NAMES[at] ?? `Sandbox Token ${number}`,
    code: AWKWARD_CODES[at] ?? `SBX${number}`,
    symbol: `S${number}`,
    network,
    tokenAddress: NETWORKS[network].encoding.write(deterministicBytes('token', number)),
    decimals: [6, 8, 18][at % 3] ?? 18,
    listsIcon: at % 3 !== 0,
    onramp: false,
  }
}

/** The default currencies followed by invented tokens, 300 in total. */
export const LONG_LIST: readonly Currency[] = [
  ...USUAL_CURRENCIES,
  ...Array.from({ length: LONG_LIST_LENGTH - USUAL_CURRENCIES.length }, (_item, at) => extra(at)),
]
