import { Problem } from '#lib/contract/problems.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { refuseTooLarge } from '#lib/server/runtime/http/inbound-request.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { readSignatureHeaders } from '#lib/server/webhooks/signature-headers.ts'

const MAX_BODY_BYTES = 256 * 1024

/** Webhooks come in bursts of thousands, so these texts are made once. */
const RECEIVED = jsonAnswer(200, { received: true, duplicate: false })
const DUPLICATE = jsonAnswer(200, { received: true, duplicate: true })

/** The gateway's signed events. A body that is not an event gets 400, not the 422 of its problem code. */
export const POST = handler(
  'webhooks.gateway',
  async ({ app, request }) => {
    refuseTooLarge(request.headers, MAX_BODY_BYTES)
    // Headers first: no body is read for a webhook that cannot be verified.
    const signed = readSignatureHeaders((name) => request.values(name))
    if ('fault' in signed) throw new Problem('unauthenticated', signed.fault)

    const meter = app.unverifiedBodies.meter()
    try {
      const rawBody = await request.bytes(MAX_BODY_BYTES, meter)
      const received = app.useCases.receiveWebhook({ rawBody, ...signed })
      // The signature has been checked by now: a body that waits for its commit is verified.
      meter.release()
      const answer = await received
      if (answer.status === 200) return answer.duplicate ? DUPLICATE : RECEIVED
      const { status, detail } = answer
      throw new Problem(status === 401 ? 'unauthenticated' : 'invalid_request', detail, { status })
    } finally {
      meter.release()
    }
  },
  { onProblem: ({ code }, { app }) => app.webhookRefused(code) },
)
