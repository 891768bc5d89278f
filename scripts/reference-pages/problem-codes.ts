/** docs/reference/problem-codes.md: the form of a failure, the codes, and the limits of requests. */
import { PROBLEM_MEANINGS } from '#lib/contract/problem-meanings.ts'
import { isProblemCode, PROBLEM_STATUS } from '#lib/contract/problems.ts'
import { RATE_LIMIT_MEANINGS, RATE_LIMITS, type LimitName } from '#lib/server/runtime/http/rate-limits.ts'
import { code, jsonBlock, paragraphs, markdownList, WRITTEN } from './markdown.ts'

const EXAMPLE = {
  type: 'urn:cashier:problem:invalid_request',
  title: 'The request is not valid',
  status: 422,
  detail: 'Not valid: amount.',
  code: 'invalid_request',
  request_id: '3f6f1e0a-6c9e-4c0e-9a53-0d0f2d0e7b11',
  errors: { amount: ['must be above zero'] },
}

const HEAD = `# Problem codes

A failure is \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). Switch on \`code\`; \`detail\` is for people.`

const AFTER_EXAMPLE = `\`errors\` names each wrong field; \`body\` means the whole body, \`cursors.1\` an entry of a list. Every answer has the header \`x-request-id\`, which the log contains too; with \`TRUST_PROXY\` it is the proxy's id.`

const REQUESTS = `## Requests

A JSON body is UTF-8 with \`Content-Type: application/json\` and has at most 16 KiB (64 KiB to start a session) and 64 levels; a gateway's webhook has at most 256 KiB. A URL has at most 8 KiB. A request has at most 100 headers of 16 KiB in all, which arrive within 10 s; the whole request arrives within 20 s. A process has at most 20,000 connections.

Unknown fields are ignored, except in the merchant's sessions, adjustments, payout owners and redeliveries (422). A query parameter that stands twice is 422, except \`transaction_types\`. In the merchant API an unknown parameter is 422, and an empty value counts as left out.`

const LIMITS_END = `With a 429, \`Retry-After\` says how many seconds to wait. All IPv6 addresses of a /64 network count as one. With PostgreSQL, all instances share the counters; of 600, each may let six too many pass. A session may have 10 open streams on each instance. Webhooks, merchant calls, health and metrics have no limits. \`RATE_LIMIT=off\` lifts all limits.`

export function problemCodesPage(): string {
  const problems = Object.entries(PROBLEM_STATUS).map(
    ([name, status]) => [`${code(name)} (${status})`, isProblemCode(name) ? PROBLEM_MEANINGS[name] : ''] as const,
  )
  const limits = (Object.keys(RATE_LIMITS) as LimitName[]).map((name) => {
    const [what, by] = RATE_LIMIT_MEANINGS[name]
    return [`**${RATE_LIMITS[name]} by ${by}**`, what] as const
  })
  return paragraphs(
    WRITTEN,
    HEAD,
    jsonBlock(EXAMPLE),
    AFTER_EXAMPLE,
    markdownList(problems),
    '## Rate limits',
    'In a minute at most:',
    markdownList(limits),
    LIMITS_END,
    REQUESTS,
  )
}
