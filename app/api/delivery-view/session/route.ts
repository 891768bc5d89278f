import * as z from 'zod/mini'
import { launchToken } from '#lib/contract/cashier-requests.ts'
import { NO_STORE, TextAnswer } from '#lib/server/runtime/http/answer.ts'
import { clientAddressKey } from '#lib/server/runtime/http/client-address.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'

const body = z.strictObject({ token: launchToken })

/** Uses up the token, and begins the view's session in this browser. */
export const POST = handler('delivery_view.session', async ({ app, request, client }) => {
  app.deliveryViewAuthenticator.requireOwnPage(request.headers)
  const { token } = await readJson(request, body)
  const session = await app.useCases.beginDeliveryView(token, () =>
    app.rateLimits.take('launches', clientAddressKey(client)),
  )
  const cookies = [app.deliveryViewAuthenticator.cookie(session)]
  return new TextAnswer('', { status: 204, headers: NO_STORE, cookies })
})
