/** No secret of the cashier reaches a browser, an error or the log. */
import { createPrivateKey } from 'node:crypto'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

const NAMES = [
  'GATEWAY_API_KEY',
  'SESSION_SECRET',
  'MERCHANT_API_KEY',
  'METRICS_TOKEN',
  'MERCHANT_WEBHOOK_SECRET',
] as const

test.use({
  stackOptions: {
    cashier: {
      METRICS_TOKEN: 'the-token-of-the-metrics',
      MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:9/events',
      MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret that nobody may read').toString('base64')}`,
      LOG_LEVEL: 'trace',
    },
  },
})

test('no secret in pages, scripts, errors or the log', async ({
  page,
  embedded,
  stack,
  openCashier,
  consoleFaults,
}) => {
  const { env, url } = stack.cashier
  const key = createPrivateKey(env['GATEWAY_PRIVATE_KEY'] ?? '').export({ type: 'pkcs1', format: 'der' })
  const secrets = [...NAMES.map((name) => env[name] ?? ''), key.toString('base64').slice(100, 160)]
  expect(secrets.map((secret) => secret.length > 15)).toEqual(secrets.map(() => true))
  const leaks = (text: string): string[] => secrets.filter((secret) => text.includes(secret))

  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    const { 'content-type': type = '' } = response.headers()
    // A redirect has no body, and a stream does not end.
    const ends = !(response.status() >= 300 && response.status() < 400) && !type.startsWith('text/event-stream')
    if (ends) bodies.push(response.text().catch(() => ''))
  })
  const session = await openCashier()
  const cashier = new Cashier(embedded)
  for (const flow of ['Withdraw', 'Buy', 'History', 'Deposit'] as const) await cashier.goTo(flow)

  const scripts = await frameOf(page).evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .filter((name) => name.includes('/_next/')),
  )
  expect(scripts.length).toBeGreaterThan(3)
  for (const script of scripts) bodies.push(fetch(script).then((response) => response.text()))
  for (const script of ['/embed.js', '/embed/v1.js', '/embed']) {
    bodies.push(fetch(url + script).then((response) => response.text()))
  }

  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const asked = [
    ['GET', '/api/cashier/withdrawals/none', {}],
    ['POST', '/api/cashier/withdrawals', { origin: url, 'content-type': 'application/json' }],
    ['POST', '/api/cashier/deposit-addresses', { origin: 'https://evil.example' }],
    ['POST', '/api/merchant/sessions', { authorization: 'Bearer wrong' }],
    ['GET', '/api/metrics', {}],
    [
      'POST',
      '/api/webhooks/gateway',
      { 'x-signature': 'AAAA', 'x-timestamp': '1700000000', 'x-algorithm': 'RSA-SHA256' },
    ],
    ['POST', '/launch', { origin: 'https://evil.example' }],
    ['GET', '/launch?token=x', {}],
    ['GET', '/nowhere', {}],
  ] as const
  for (const [method, path, headers] of asked) {
    const own = { cookie, 'x-cashier-session': session.session_id }
    bodies.push(fetch(url + path, { method, headers: { ...own, ...headers } }).then((response) => response.text()))
  }
  const texts = await Promise.all(bodies)
  expect(texts.flatMap(leaks)).toEqual([])

  const log = stack.cashier.process.output()
  const sealed = cookies.find(({ name }) => name.includes(session.session_id))?.value ?? ''
  expect(sealed.length).toBeGreaterThan(100)
  expect(log).toContain('"level":"info"')
  expect([...leaks(log), ...[session.launch_token, sealed].filter((secret) => log.includes(secret))]).toEqual([])
  consoleFaults.length = 0
})
