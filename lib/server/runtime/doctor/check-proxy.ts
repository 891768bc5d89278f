import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { fault, note, ok, reasonOf, type Finding } from './finding.ts'

const ABOUT = 'proxy'

const connection = z.object({ client_address: z.string(), forwarded_entries: z.int(), trust_proxy: z.int() })

export interface CheckProxyOptions {
  readonly config: Pick<Config, 'publicUrl' | 'merchantApiKeys'>
  readonly fetch: typeof globalThis.fetch
}

/** Compares `TRUST_PROXY` of the running cashier with what arrives through the proxies in front of it. */
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
  const read = connection.safeParse(answer)
  if (!read.success)
    return [note(ABOUT, 'TRUST_PROXY could not be compared: PUBLIC_URL is not answered by this cashier')]
  const { client_address, forwarded_entries: arrived, trust_proxy: trusted } = read.data
  if (arrived === trusted)
    return [ok(ABOUT, `TRUST_PROXY=${trusted} fits the calls that arrive; our own address is ${client_address}`)]
  const seen = `X-Forwarded-For arrives with ${arrived} ${arrived === 1 ? 'entry' : 'entries'}, and TRUST_PROXY is ${trusted}`
  return arrived > trusted
    ? [
        fault(
          ABOUT,
          `${seen}: all clients behind one proxy share the limits of one address`,
          `set TRUST_PROXY to the number of proxies in front, ${arrived} by this test`,
        ),
      ]
    : [
        fault(
          ABOUT,
          `${seen}: a client could forge its address`,
          'let each proxy append the address that it sees to X-Forwarded-For, or lower TRUST_PROXY',
        ),
      ]
}
