import type { ExceptionItem } from '#lib/contract/operate/exceptions.ts'
import type { InstanceReport, StoredReport } from '../../store/types.ts'

/** What needs a person, before its time is text. */
export type FoundException = Omit<ExceptionItem, 'oldest_at'> & { readonly oldestMs: number | null }

/** The gateway is called every few minutes at least, so an older report is of an instance that is gone. */
const FAILS_STILL_MS = 10 * 60_000
/** A webhook usually comes within seconds of what the list tells. */
const SILENT_MS = 10 * 60_000

const one = (kind: FoundException['kind'], reports: readonly StoredReport[], oldestMs: number): FoundException[] =>
  reports.length === 0
    ? []
    : [
        {
          kind,
          count: reports.reduce((sum, { count }) => sum + count, 0),
          more: false,
          oldestMs,
          detail: reports.find(({ detail }) => detail !== null)?.detail ?? null,
        },
      ]

const earliest = (times: readonly number[]): number => Math.min(...times)

/**
 * What the instances report: the gateway fails, or its webhooks do not arrive. A report about webhooks counts only if it
 * is newer than the last accepted webhook (null: there was none).
 */
export function reportedExceptions(
  reports: readonly StoredReport[],
  lastWebhookMs: number | null,
  nowMs: number,
): readonly FoundException[] {
  const sinceWebhook = lastWebhookMs ?? 0
  const of = (what: InstanceReport): readonly StoredReport[] => reports.filter((report) => report.what === what)
  const failing = (what: InstanceReport): readonly StoredReport[] =>
    of(what).filter(({ last_ms, now_ms }) => now_ms - last_ms < FAILS_STILL_MS)
  const unheard = (what: InstanceReport): readonly StoredReport[] =>
    of(what).filter(({ last_ms }) => last_ms > sinceWebhook)
  /** When it first happened after the last webhook, as far as is known. */
  const firstMs = ({ since_ms, last_ms }: StoredReport): number => (since_ms > sinceWebhook ? since_ms : last_ms)
  const [down, refuses, refused, news] = [
    failing('gateway_down'),
    failing('gateway_refuses'),
    unheard('webhook_refused'),
    unheard('list_news'),
  ]
  const newsMs = earliest(news.map(firstMs))
  return [
    ...one('gateway_down', down, earliest(down.map(({ since_ms }) => since_ms))),
    ...one('gateway_refuses', refuses, earliest(refuses.map(({ since_ms }) => since_ms))),
    ...one('webhooks_refused', refused, earliest(refused.map(firstMs))),
    ...(nowMs - newsMs >= SILENT_MS ? one('webhooks_silent', news, lastWebhookMs ?? newsMs) : []),
  ]
}
