import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { fault, note, ok, reasonOf, type Finding } from './finding.ts'

const ABOUT = 'proxy'

const connection = z.object({ client_address: z.string(), forwarded_entries: z.int(), trust_proxy: z.int() })
const refusal = z.object({ code: z.literal('unauthenticated') })

export interface CheckProxyOptions {
  readonly config: Pick<Config, 'publicUrl' | 'merchantApiKeys' | 'trustProxy'>
  readonly fetch: typeof globalThis.fetch
}

/** `TRUST_PROXY` of these settings, and what arrived. */
function compare(arrived: number, trusted: number, client: string): Finding {
  if (arrived === trusted)
    return ok(ABOUT, `TRUST_PROXY=${trusted} fits the calls that arrive; our own address is ${client}`)
  const seen = `X-Forwarded-For arrives with ${arrived} ${arrived === 1 ? 'entry' : 'entries'}, and TRUST_PROXY is ${trusted}`
  return arrived > trusted
    ? fault(
        ABOUT,
        `${seen}: all clients behind one proxy share the limits of one address`,
        `set TRUST_PROXY to the number of proxies in front, ${arrived} by this test`,
      )
    : fault(
        ABOUT,
        `${seen}: a client could forge its address`,
        'let each proxy append the address that it sees to X-Forwarded-For, or lower TRUST_PROXY',
      )
}

/** `TRUST_PROXY` of the running process, where these settings have another. */
function differing(arrived: number, trusted: number, running: number): readonly Finding[] {
  if (running === trusted) return []
  const both = `the running cashier has TRUST_PROXY=${running}, these settings have ${trusted}`
  return [running === arrived ? note(ABOUT, both) : fault(ABOUT, both, 'restart the cashier with these settings')]
}

/** Compares `TRUST_PROXY`, of these settings and of the running cashier, with what arrives through the proxies in front. */
export async function checkProxy({ config, fetch }: CheckProxyOptions): Promise<readonly Finding[]> {
  let answer: unknown
  try {
    const response = await fetch(`${config.publicUrl}/api/merchant/connection`, {
      headers: { authorization: `Bearer ${config.merchantApiKeys[0]}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(5000),
    })
    answer = await response.json()
  } catch (error) {
    return [note(ABOUT, `TRUST_PROXY could not be compared: nothing answers at PUBLIC_URL (${reasonOf(error)})`)]
  }
  if (refusal.safeParse(answer).success)
    return [
      fault(
        ABOUT,
        'the running cashier refuses MERCHANT_API_KEY of these settings, so TRUST_PROXY could not be compared',
        'restart the cashier with these settings, or correct MERCHANT_API_KEY',
      ),
    ]
  const read = connection.safeParse(answer)
  if (!read.success)
    return [note(ABOUT, 'TRUST_PROXY could not be compared: PUBLIC_URL is not answered by this cashier')]
  const { client_address, forwarded_entries: arrived, trust_proxy: running } = read.data
  return [compare(arrived, config.trustProxy, client_address), ...differing(arrived, config.trustProxy, running)]
}
