/**
 * Calls of the cashier page over kept-alive connections: a deposit address that is stored already, and the currencies.
 * The peer is the sandbox gateway, called directly with signed requests.
 */
import { createSign, randomUUID } from 'node:crypto'
import { startStack } from '../e2e/fixtures/stack.ts'
import { launchSession } from '../e2e/system/page.ts'
import { load, type LoadCall, type Load } from './load.ts'
import type { Row } from './table.ts'

const COUNT = 4000
const AT_A_TIME = 32
const USER = 'bench'

interface Measured extends Load {
  /** Milliseconds of processor time a call. */
  readonly cpuMs: number
}

/** Seconds of processor time that the cashier says it has used. */
async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/api/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
}

async function measure(cashier: string, call: LoadCall): Promise<Measured> {
  const url = new URL(cashier)
  await load(url, Array<LoadCall>(500).fill(call), AT_A_TIME)
  const before = await cpuSeconds(cashier)
  const measured = await load(url, Array<LoadCall>(COUNT).fill(call), AT_A_TIME)
  return { ...measured, cpuMs: ((await cpuSeconds(cashier)) - before) * (1000 / COUNT) }
}

/** Calls of the gateway, signed before the clock starts. */
function signedCalls(
  method: 'GET' | 'POST',
  path: string,
  body: string,
  env: Readonly<Record<string, string>>,
): LoadCall[] {
  return Array.from({ length: COUNT }, () => {
    const nonce = randomUUID()
    const signature = createSign('RSA-SHA256')
      .update(`${method}${path}${nonce}${body.replaceAll(/\s/g, '')}`)
      .sign(env['GATEWAY_PRIVATE_KEY'] ?? '', 'base64')
    const headers = {
      'x-api-key': env['GATEWAY_API_KEY'] ?? '',
      'x-api-nonce': nonce,
      'x-api-signature': signature,
    }
    return { method, path, headers, ...(body !== '' && { body }) }
  })
}

export async function calls(): Promise<readonly Row[]> {
  const stack = await startStack({ cashier: { RATE_LIMIT: 'off', LOG_LEVEL: 'info' } })
  try {
    const { url, api, env } = stack.cashier
    const session = await api.createSession({ user_reference_id: USER })
    const headers = { cookie: await launchSession(url, session), 'x-cashier-session': session.session_id, origin: url }
    const response = await fetch(`${url}/api/cashier/currencies`, { headers })
    const { currencies } = (await response.json()) as { currencies: readonly { id: string }[] }
    const currency_id = currencies[0]?.id ?? ''

    const address = { path: '/api/cashier/deposit-addresses', body: JSON.stringify({ currency_id }) }
    const kept = await measure(url, { method: 'POST', headers, ...address })
    const list = await measure(url, { method: 'GET', path: '/api/cashier/currencies', headers })

    const gateway = new URL(stack.sandbox.url)
    const ask = JSON.stringify({ currency_id, user_reference: USER })
    const addressPeer = await load(gateway, signedCalls('POST', '/v1/user/deposit/address', ask, env), AT_A_TIME)
    const listPeer = await load(gateway, signedCalls('GET', '/v1/merchant/currencies', '', env), AT_A_TIME)
    return [
      { what: 'stored deposit addresses a second', ours: kept.perSecond, peer: addressPeer.perSecond },
      { what: 'currencies a second', ours: list.perSecond, peer: listPeer.perSecond },
      { what: 'ms of CPU, stored deposit address', ours: kept.cpuMs, peer: null },
      { what: 'ms of CPU, currencies', ours: list.cpuMs, peer: null },
    ]
  } finally {
    await stack.stop()
  }
}
