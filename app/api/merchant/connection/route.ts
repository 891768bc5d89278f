import { INTERNAL } from '#lib/server/runtime/http/inbound-headers.ts'
import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** How this call arrived; the doctor compares it with `TRUST_PROXY`. */
export const GET = merchantHandler('merchant.connection', 'read', ({ app, request, client, url }) => {
  refuseQuery(url.searchParams)
  const forwarded_entries = Number(request.headers.get(INTERNAL.forwarded) ?? 0)
  return Promise.resolve(jsonAnswer(200, { client_address: client, forwarded_entries, trust_proxy: app.trustProxy }))
})
