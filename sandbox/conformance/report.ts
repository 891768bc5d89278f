import { GROUPS } from './check.ts'
import type { Group } from './check.ts'
import type { Exchange } from './exchanges.ts'
import type { Result } from './run-suite.ts'

/** The part of the spec that each group of checks reads. */
const SECTIONS: Readonly<Record<Group, { readonly title: string; readonly says: string }>> = {
  authentication: {
    title: 'Authentication',
    says: 'Every request has X-API-Key, X-API-Nonce (at least 16 characters, used once) and X-API-Signature: RSA-SHA256, PKCS#1 v1.5, in standard Base64, over METHOD + PATH + NONCE + QUERY + BODY without white space. Each failure has its status and message.',
  },
  currencies: {
    title: 'GET /v1/merchant/currencies',
    says: 'An array of Currency objects, or an object with currencies.',
  },
  addresses: {
    title: 'POST /v1/user/deposit/address, POST /v1/user/deposit/link_external_wallet',
    says: 'currency_id and user_reference give address, currency and network.',
  },
  withdrawals: {
    title: 'POST /v1/user/withdraw',
    says: 'Answers amount (decimal text), currency, requires_approval, status and wallet_address. A failure is an Error_Response, with transaction_uuid and status if a transaction exists.',
  },
  transactions: {
    title: 'POST /v1/user/transactions, POST /v1/merchant/transactions',
    says: 'Edges newest first with cursor, inserted_at and node; page_info and total_count; first and after, last and before, time_range, transaction_types; 422 for a missing or badly formed user_reference_id.',
  },
  payments: {
    title: 'POST /v1/user/payments, POST /v1/user/onramp/get_url',
    says: 'ON_RAMP answers link, correlation_key and expires_at; OFF_RAMP is 501; a custom wallet without the flag is 403; missing or invalid fields are 422 with errors by field.',
  },
  webhooks: {
    title: 'Webhook authentication, Events',
    says: 'X-Signature is RSA-SHA256 in Base64 over the raw payload followed by X-Timestamp; X-Algorithm is RSA-SHA256. Payload fields and statuses by kind of event; amounts are JSON numbers.',
  },
}

const SKIPPED = 'needs --control-url: a client alone cannot cause it, or it moves money'
const SHOWN_CALLS = 3
const SHOWN_TEXT = 400

export interface RunDetails {
  readonly gateway: string
  readonly startedAt: Date
  readonly tookMs: number
}

const countOf = (results: readonly Result[], outcome: Result['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length

const sectionsOf = (results: readonly Result[]) =>
  GROUPS.map((group) => ({ ...SECTIONS[group], results: results.filter((result) => result.group === group) })).filter(
    (section) => section.results.length > 0,
  )

/** The report as JSON. */
export function jsonReport(results: readonly Result[], { gateway, startedAt, tookMs }: RunDetails) {
  return {
    gateway,
    started_at: startedAt.toISOString(),
    took_ms: Math.round(tookMs),
    passed: countOf(results, 'passed'),
    failed: countOf(results, 'failed'),
    skipped: countOf(results, 'skipped'),
    sections: sectionsOf(results).map(({ title, says, results: checks }) => ({
      section: title,
      spec: says,
      checks: checks.map(({ name, outcome, reason, exchanges, webhooks }) => ({
        statement: name,
        outcome,
        reason: outcome === 'skipped' ? SKIPPED : reason,
        calls: exchanges,
        webhooks,
      })),
    })),
  }
}

const cut = (text: string): string => (text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)}…` : text)
const oneLine = (text: string): string => cut(text.replaceAll('\n', '\\n'))

const exchangeLines = ({ method, path, body, status, answer, took_ms }: Exchange): readonly string[] => [
  `     called   ${oneLine(`${method} ${path} ${body}`.trimEnd())}`,
  `     came     ${status === null ? 'no answer:' : String(status)} ${oneLine(answer)} (${String(took_ms)} ms)`,
]

function failureLines({ name, reason, exchanges, webhooks }: Result, at: number): readonly string[] {
  const left = exchanges.length - SHOWN_CALLS
  return [
    '',
    `  ${String(at + 1)}. ${name}`,
    ...(left > 0 ? [`     ${String(left)} earlier calls: --json has all`] : []),
    ...exchanges.slice(-SHOWN_CALLS).flatMap(exchangeLines),
    ...webhooks.slice(-SHOWN_CALLS).map((webhook) => `     webhook  ${oneLine(webhook)}`),
    `     differs  ${oneLine(reason ?? '')}`,
  ]
}

/** The report for people: the sections, then each failure with what was called, what the spec says and what came. */
export function textReport(results: readonly Result[], { gateway, startedAt, tookMs }: RunDetails): string {
  const sections = sectionsOf(results)
  const skipped = countOf(results, 'skipped')
  const rows = sections.map(({ title, results: checks }) => {
    const [passed, failed, left] = (['passed', 'failed', 'skipped'] as const).map((outcome) => countOf(checks, outcome))
    return `  ${String(passed).padStart(3)} passed ${String(failed).padStart(3)} failed ${String(left).padStart(3)} skipped  ${title}`
  })
  const failures = sections.flatMap(({ title, says, results: checks }) => {
    const failed = checks.filter(({ outcome }) => outcome === 'failed')
    return failed.length === 0 ? [] : ['', title, `  The spec: ${says}`, ...failed.flatMap(failureLines)]
  })
  return [
    `Conformance of ${gateway} to the specification of the payment gateway`,
    `${startedAt.toISOString()}, ${(tookMs / 1000).toFixed(1)} s, ${String(results.length)} checks`,
    '',
    ...rows,
    ...(skipped === 0 ? [] : ['', `Skipped: ${SKIPPED}.`]),
    ...failures,
    '',
    countOf(results, 'failed') === 0 ? 'No check failed.' : `${String(countOf(results, 'failed'))} checks failed.`,
  ].join('\n')
}
