/** The route files as Next builds them. `server.ts` answers the same files natively; both must work. */
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { merchantApi } from '../fixtures/merchant-api.ts'
import { startCashierByNext, type EnvVariables } from '../fixtures/processes.ts'
import { expect, test } from '../fixtures/test.ts'

test("Next's own build of the route files works, with the one composed application", async ({ stack }) => {
  const port = String(await freePort())
  const PUBLIC_URL = `http://localhost:${port}`
  const DATABASE_URL = `file:${join(stack.folder, 'by-next.db')}`
  const env: EnvVariables = { ...stack.cashier.env, PORT: port, PUBLIC_URL, DATABASE_URL }
  const { process } = await startCashierByNext(env)
  try {
    const live = await fetch(`${PUBLIC_URL}/api/health/live`)
    expect([live.status, await live.json()]).toEqual([200, { status: 'live' }])
    expect((await fetch(`${PUBLIC_URL}/api/health/ready`)).status).toBe(200)

    const merchant = merchantApi(PUBLIC_URL, env['MERCHANT_API_KEY'] ?? '')
    const session = await merchant.createSession({ user_reference_id: 'by-next' })
    const launched = await fetch(`${PUBLIC_URL}/launch`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ launch_token: session.launch_token }),
    })
    expect(launched.status).toBe(303)
    const cookie = launched.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const headers = { cookie, 'x-cashier-session': session.session_id, origin: PUBLIC_URL }

    const listed = await fetch(`${PUBLIC_URL}/api/cashier/currencies`, { headers })
    const { currencies } = (await listed.json()) as { currencies: readonly { id: string; currency_code: string }[] }
    expect(currencies.length).toBeGreaterThan(3)
    const address = await fetch(`${PUBLIC_URL}/api/cashier/deposit-addresses`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ currency_id: currencies[0]?.id }),
    })
    expect([address.status, await address.json()]).toEqual([
      200,
      expect.objectContaining({ address: expect.any(String) }),
    ])

    const stream = await fetch(`${PUBLIC_URL}/api/cashier/events?session=${session.session_id}`, { headers })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const reader = stream.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('retry: 2000')
    await reader?.cancel()

    for (const [path, init, status, code] of [
      ['/api/cashier/currencies', {}, 401, 'unauthenticated'],
      ['/api/cashier/withdrawals', { method: 'POST', headers }, 415, 'unsupported_media_type'],
      ['/api/merchant/events', {}, 401, 'unauthenticated'],
      ['/api/webhooks/gateway', { method: 'POST', body: '{}' }, 401, 'unauthenticated'],
      ['/api/nothing/here', {}, 404, 'not_found'],
    ] as const) {
      const response = await fetch(PUBLIC_URL + path, init)
      expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([path, status, code])
    }
  } finally {
    expect(await process.stop()).toBe(0)
  }
})
