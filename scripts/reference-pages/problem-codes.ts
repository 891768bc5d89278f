/** docs/reference/problem-codes.md: the form of a failure, the codes, and the limits of requests. */
import { PROBLEM_MEANINGS } from '#lib/contract/problem-meanings.ts'
import { isProblemCode, PROBLEM_STATUS } from '#lib/contract/problems.ts'
import { RATE_LIMIT_MEANINGS, RATE_LIMITS, type LimitName } from '#lib/server/runtime/http/rate-limits.ts'
import { code, jsonBlock, paragraphs, markdownTable, WRITTEN } from './markdown.ts'

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

A JSON body is UTF-8 with \`Content-Type: application/json\` and has at most 16 KiB (64 KiB to start a session) and 64 levels; a gateway's webhook has at most 256 KiB, all headers 16 KiB. Unknown fields are ignored, except in the merchant's sessions, adjustments and redeliveries (422). A repeated query parameter gets 422, except \`transaction_types\`. In the merchant API an unknown parameter gets 422, and an empty parameter counts as missing.`

const LIMITS_END = `With a 429, \`Retry-After\` says how many seconds to wait. All IPv6 addresses of a /64 network count as one. With PostgreSQL, all instances share the counters. A session may have 10 open streams on each instance. Webhooks, merchant calls, health and metrics have no limits. \`RATE_LIMIT=off\` lifts all limits.`

export function problemCodesPage(): string {
  const problems = Object.entries(PROBLEM_STATUS).map(([name, status]) => [
    code(name),
    String(status),
    isProblemCode(name) ? PROBLEM_MEANINGS[name] : '',
  ])
  const limits = (Object.keys(RATE_LIMITS) as LimitName[]).map((name) => {
    const [what, by] = RATE_LIMIT_MEANINGS[name]
    return [what, String(RATE_LIMITS[name]), by]
  })
  return paragraphs(
    WRITTEN,
    HEAD,
    jsonBlock(EXAMPLE),
    AFTER_EXAMPLE,
    markdownTable(['code', 'status', 'when'], problems),
    '## Rate limits',
    markdownTable(['what', 'a minute', 'counted by'], limits),
    LIMITS_END,
    REQUESTS,
  )
}
