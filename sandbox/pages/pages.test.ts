import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { USDT_ON_TRON, currencyId, testSandbox, eventually } from '../testing/test-sandbox.ts'
import type { TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
beforeEach(() => sandbox.control('POST', '/reset'))
afterAll(() => sandbox.close())

const get = (path: string) => fetch(sandbox.origin + path, { redirect: 'manual' })

async function link(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await sandbox.call('POST', '/v1/user/payments', {
    payment_type: 'ON_RAMP',
    country: 'DE',
    currency_id: await currencyId(sandbox, 'BTC', 'Bitcoin'),
    amount: '150.00',
    fiat_currency: 'EUR',
    redirect_url: 'https://merchant.example/back?a=</script>',
    user_reference_id: 'ada',
    ...more,
  })
  return body['link'] as string
}

async function act(widget: string, action: string, body: unknown = {}): Promise<{ status: number; body: unknown }> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${widget}/${action}`, init)
  return { status: response.status, body: await response.json() }
}

describe('the widget', () => {
  test('has the fixed values of the session, and no value can end the script', async () => {
    const page = await (await fetch(await link({ theme: 'light' }))).text()
    const [, json = ''] = /<script type="application\/json" id="session">(.*?)<\/script>/.exec(page) ?? []
    expect(JSON.parse(json)).toMatchObject({
      amount: '150.00',
      fiatCurrency: 'EUR',
      country: 'DE',
      currencyCode: 'BTC',
      redirectUrl: 'https://merchant.example/back?a=</script>',
      status: 'created',
    })
    expect(page).toContain('data-theme="light"')
    expect(await (await fetch(await link())).text()).toContain('data-theme="dark"')
  })

  test('may be framed; the control page may not', async () => {
    const policy = async (path: string) => (await fetch(path)).headers.get('content-security-policy')
    expect(await policy(await link())).toContain('frame-ancestors *')
    expect(await policy(`${sandbox.origin}/control`)).toContain("frame-ancestors 'none'")
  })

  test('advances a session from start to payment, each step once', async () => {
    const widget = await link()
    expect(await act(widget, 'open')).toEqual({ status: 200, body: { status: 'pending' } })
    expect(await act(widget, 'open')).toEqual({ status: 200, body: { status: 'pending' } })
    expect(await act(widget, 'pay')).toEqual({ status: 200, body: { status: 'processing' } })
    expect((await act(widget, 'pay')).status).toBe(409)
  })

  test('delivers immediately, or fails, on request', async () => {
    const [paid, failed] = [await link(), await link()]
    for (const widget of [paid, failed]) await act(widget, 'open')
    expect((await act(paid, 'pay_and_deliver')).body).toEqual({ status: 'succeeded' })
    expect((await act(failed, 'fail')).body).toEqual({ status: 'failed' })
  })

  test('accepts no payment after the expiry, which the reply announces', async () => {
    await sandbox.control('PATCH', '/modes', { onramp_expires_after_ms: 60_000 })
    const before = Date.now()
    const { body } = await sandbox.call('POST', '/v1/user/payments', {
      payment_type: 'ON_RAMP',
      country: 'DE',
      currency_id: await currencyId(sandbox, 'BTC', 'Bitcoin'),
      amount: '150.00',
      fiat_currency: 'EUR',
      redirect_url: 'https://merchant.example/',
      user_reference_id: 'ada',
    })
    const left = Date.parse(String(body['expires_at'])) - before
    expect(left).toBeGreaterThanOrEqual(60_000)
    expect(left).toBeLessThan(70_000)
    const widget = String(body['link'])
    expect((await act(widget, 'open')).status).toBe(200)
    await sandbox.control('POST', '/clock', { advance_ms: 70_000 })
    expect(await act(widget, 'pay')).toEqual({ status: 409, body: { message: 'This payment page has expired.' } })
  })

  test('delivers automatically if the mode is set', async () => {
    await sandbox.control('PATCH', '/modes', { onramp_delivers_after_ms: 20 })
    const widget = await link({ session_reference: 'soon' })
    await act(widget, 'open')
    await act(widget, 'pay')
    await eventually(async () => (await sandbox.control('GET', '/onramp-sessions/soon')).body['session']).toMatchObject(
      {
        status: 'succeeded',
      },
    )
  })

  test('lets the user of a legacy session enter the amount', async () => {
    const { body } = await sandbox.call('POST', '/v1/user/onramp/get_url', {
      provider: 'provider',
      currency_id: await currencyId(sandbox, 'BTC', 'Bitcoin'),
      user_reference_id: 'ada',
      country: 'DE',
      operation: 'DEPOSIT',
      site: 'merchant.example',
    })
    const widget = (body['data'] as { link: string }).link
    await act(widget, 'open')
    expect((await act(widget, 'pay', { amount: 'much' })).status).toBe(422)
    expect((await act(widget, 'pay', { amount: '40' })).status).toBe(200)
    const { body: listed } = await sandbox.control('GET', '/onramp-sessions')
    expect(listed['sessions']).toMatchObject([{ from_amount: '40', from_currency: 'USD' }])
  })

  test('an unknown link is 404', async () => {
    expect((await get('/widget/nothing')).status).toBe(404)
    expect((await act(`${sandbox.origin}/widget/nothing`, 'pay')).status).toBe(404)
    expect((await act(await link(), 'steal')).status).toBe(404)
  })
})

describe('the explorer', () => {
  const deposit = async (more: Record<string, unknown> = {}) => {
    const { body } = await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, amount: '25.5', ...more })
    return (body['transaction'] as { tx_hash: string }).tx_hash
  }
  const shown = async (path: string) => {
    const response = await get(path)
    return [response.status, (await response.text()).replaceAll(/<[^>]+>/g, ' ')] as const
  }

  test('shows the transaction of a hash in any spelling', async () => {
    const hash = await deposit()
    for (const spelling of [hash, hash.toUpperCase(), `0x${hash}`]) {
      const [status, text] = await shown(`/explorer/Tron/${spelling}`)
      expect(status).toBe(200)
      expect(text).toMatch(/on no blockchain[\s\S]*25\.5 USDT\s+processing[\s\S]*user_1/)
    }
  })

  test('shows all transactions with a hash, but none of another network', async () => {
    const tx_hash = await deposit()
    await deposit({ tx_hash, amount: '7' })
    expect((await shown(`/explorer/Tron/${tx_hash}`))[1]).toMatch(/7 USDT[\s\S]*25\.5 USDT/)
    const [status, text] = await shown(`/explorer/Ethereum/${tx_hash}`)
    expect([status, text]).toEqual([404, expect.stringContaining('no transaction with this hash on Ethereum')])
  })

  test('treats any path as plain text', async () => {
    const response = await get('/explorer/%3Cscript%3E/%3Cscript%3E')
    expect([response.status, (await response.text()).includes('<script>')]).toEqual([404, false])
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

test.each([
  ['/assets/control.js', 'text/javascript'],
  ['/assets/widget.js', 'text/javascript'],
  ['/assets/page.css', 'text/css'],
  ['/icons/BTC.svg', 'image/svg+xml'],
  ['/icons/%3Cb%3E.svg', 'image/svg+xml'],
  ['/icons/network/Tron.svg', 'image/svg+xml'],
  ['/wallet/%3Cscript%3E', 'text/html'],
])('%s is %s', async (path, type) => {
  const response = await get(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain(type)
  expect(await response.text()).not.toContain('<script>')
})

test.each(['/assets/main.ts', '/assets/..%2fhtml.ts', '/icons/network/Nothing.svg', '/nothing'])(
  '%s does not exist',
  async (path) => {
    expect((await get(path)).status).toBe(404)
  },
)

test('/ redirects to the control page', async () => {
  const response = await get('/')
  expect([response.status, response.headers.get('location')]).toEqual([302, '/control'])
})
