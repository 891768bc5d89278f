/** Restarts two instances behind a proxy one after the other while calls and webhooks arrive: no request is lost. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { depositEvent } from '../system/deposit-event.ts'
import { webhookHeaders } from '../system/gateway-signature.ts'
import { startSystem, type System } from '../system/start-system.ts'
import { http2Client, type Http2Answer, type Http2Client } from './http2-client.ts'
import { PROXIES, proxyPorts, type Proxy } from './proxies.ts'

for (const kind of PROXIES) {
  describe.skipIf(!kind.isHere)(`${kind.name}${kind.isHere ? '' : ' (not on this machine)'}`, () => {
    let system: System
    let proxy: Proxy
    let client: Http2Client

    beforeAll(async () => {
      const ports = await proxyPorts()
      const url = `https://localhost:${ports.https}`
      system = await startSystem({
        database: 'postgres',
        instances: 2,
        cashier: { PUBLIC_URL: url, RATE_LIMIT: 'off', TRUST_PROXY: '1', DRAIN_S: '3' },
      })
      const [first = '', second = ''] = system.cashiers.map((one) => new URL(one.url).host)
      proxy = await kind.start([first, second], ports)
      client = http2Client(url, proxy.ca)
    })
    afterAll(async () => {
      client.close()
      await proxy.stop()
      await system.close()
    })

    test('two instances restarted one after the other under load answer every request', async () => {
      const user = `user-${randomUUID()}`
      await system.merchant.createSession({ user_reference_id: user })
      const faults: string[] = []
      let answered = 0
      let over = false
      const load = async (request: () => Promise<Http2Answer>): Promise<void> => {
        while (!over) {
          const answer = await request().catch((error: unknown) => String(error))
          if (typeof answer === 'string') faults.push(answer)
          else if (answer.status >= 500) faults.push(`${answer.status} ${answer.body.slice(0, 200)}`)
          else answered += 1
        }
      }
      const sent: string[] = []
      const webhook = (): Promise<Http2Answer> => {
        const uuid = randomUUID()
        sent.push(uuid)
        const body = depositEvent({ uuid, user, amount: '1', status: 'succeeded' })
        const headers = { ...webhookHeaders(system.gatewayKey, body), 'content-type': 'application/json' }
        return client.call('POST', '/api/webhooks/gateway', headers, body)
      }
      const get = (path: string) => () => client.call('GET', path)
      const loads = [webhook, webhook, get('/api/health/live'), get('/launch')].map(load)
      await sleep(500)
      for (const cashier of system.cashiers) {
        await cashier.stop()
        await cashier.start()
        await sleep(5000)
      }
      over = true
      await Promise.all(loads)
      expect(faults).toEqual([])
      expect(answered).toBeGreaterThan(sent.length)
      expect((await system.checkLedger()).faults).toEqual([])
      const balances = (await (await system.merchant.call('GET', `/users/${user}/balances`)).json()) as {
        balances: { available: string }[]
      }
      expect(balances.balances.map(({ available }) => available)).toEqual([String(sent.length)])
    })
  })
}
