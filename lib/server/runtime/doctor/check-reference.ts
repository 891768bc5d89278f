import { parseWebhook } from '../../gateway/parse-webhook.ts'
import { readRecentEvents, type RecentEvents } from '../../store/commands/recent-events.ts'
import type { Config } from '../config/config.ts'
import { fault, note, ok, type Finding } from './finding.ts'

const ABOUT = 'reference'
const RECENT_MS = 24 * 3_600_000
const MOST_NAMED = 5
const MOST_LETTERS = 80

/** The merchant reference of a deposit or payout; null if it has none. Undefined for all other events. */
function referenceOf(body: string): string | null | undefined {
  const parsed = parseWebhook(Buffer.from(body, 'utf8'))
  if (parsed.outcome === 'malformed' || parsed.outcome === 'unreadable') return undefined
  const { kind, merchant_reference } = parsed.outcome === 'event' ? parsed.event : parsed
  return kind === 'deposit' || kind === 'payout' ? merchant_reference : undefined
}

/** The reference as the gateway wrote it, with control characters escaped for a terminal. */
const quoted = (reference: string | null): string =>
  reference === null
    ? '(none)'
    : JSON.stringify(reference.slice(0, MOST_LETTERS)).replaceAll(
        /[^\x20-\x7e]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )

/** The references with their numbers, the most frequent first. */
function named(references: readonly (string | null)[]): string {
  const counts = new Map<string | null, number>()
  for (const one of references) counts.set(one, (counts.get(one) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  const more = sorted.length > MOST_NAMED ? ', …' : ''
  return `${sorted
    .slice(0, MOST_NAMED)
    .map(([reference, count]) => `${quoted(reference)} (${count})`)
    .join(', ')}${more}`
}

function compare(own: string, { foreign, someApplied }: RecentEvents): readonly Finding[] {
  const taken = ok(ABOUT, `only deposits and payouts of ${own} are taken`)
  const references = foreign.map(referenceOf).filter((one) => one !== undefined)
  if (references.length === 0) return [taken]
  const left = `from the last 24 hours, quarantine has ${references.length} deposits and payouts as other_merchant: ${named(references)}`
  if (someApplied) return [taken, note(ABOUT, `${left}. Events of ${own} were applied in this time`)]
  return [
    fault(
      ABOUT,
      `${left}. None of ${own} was applied, so GATEWAY_MERCHANT_REFERENCE may be wrong`,
      "compare it with the Merchant Console. If one of these is yours, set GATEWAY_MERCHANT_REFERENCE to it and restart: deposits of that time are credited from the gateway's list, and their items in quarantine can be dismissed. If they are another merchant's, dismiss them",
    ),
  ]
}

export interface CheckReferenceOptions {
  readonly config: Pick<Config, 'gatewayMerchantReference' | 'ledgerMode' | 'databaseUrl'>
  readonly clock: () => number
}

/** Checks the gateway's name for us by the stored events. */
export async function checkReference({ config, clock }: CheckReferenceOptions): Promise<readonly Finding[]> {
  const { gatewayMerchantReference: own, ledgerMode, databaseUrl } = config
  if (own === null)
    return [
      note(
        ABOUT,
        `GATEWAY_MERCHANT_REFERENCE is not set: a deposit is ${ledgerMode === 'embedded' ? 'credited' : 'published'} only once the gateway's list shows it too; a deposit that the list never shows is not`,
      ),
    ]
  return compare(own, await recentEvents(databaseUrl, clock() - RECENT_MS, own))
}

/** If the database cannot be read, or has no tables yet, `checkDatabase` reports it. */
async function recentEvents(url: string, sinceMs: number, own: string): Promise<RecentEvents> {
  try {
    return await readRecentEvents(url, sinceMs, (body) => referenceOf(body) === own)
  } catch {
    return { foreign: [], someApplied: false }
  }
}
