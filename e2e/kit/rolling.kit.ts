/** Two instances behind nginx are restarted one after the other while calls and webhooks arrive: none is lost. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { startSupervised, type SupervisedProcess } from '../../scripts/supervised-process.ts'
import { depositEvent } from '../system/deposit-event.ts'
import { webhookHeaders } from '../system/gateway-signature.ts'
import { startSystem, type System } from '../system/start-system.ts'

const isHere = spawnSync('nginx', ['-v']).status === 0

const configuration = (folder: string, port: number, upstreams: readonly string[]): string => `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream cashier {
    ${upstreams.map((one) => `server ${one} max_fails=0;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    location / {
      proxy_pass http://cashier;
    }
    location = /api/webhooks/gateway {
      proxy_pass http://cashier;
      proxy_next_upstream error timeout non_idempotent;
    }
  }
}
`

// Named as skipped where nginx is not on the machine.
const suite = isHere ? test : test.skip

let system: System
let nginx: SupervisedProcess | null = null
let folder = ''
let url = ''

beforeAll(async () => {
  if (!isHere) return
  system = await startSystem({
    database: 'postgres',
    instances: 2,
    cashier: { RATE_LIMIT: 'off', TRUST_PROXY: '1', DRAIN_S: '1' },
  })
  folder = mkdtempSync(join(tmpdir(), 'cashier-nginx-'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    configuration(
      folder,
      port,
      system.cashiers.map((one) => new URL(one.url).host),
    ),
  )
  nginx = await startSupervised({
    command: 'nginx',
    args: ['-c', file, '-e', 'stderr'],
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] },
    ready: /start worker process/,
  })
})
afterAll(async () => {
  await nginx?.stop()
  if (isHere) await system.close()
  if (folder !== '') rmSync(folder, { recursive: true })
})

suite('nginx: two instances restarted one after the other under load answer every request', async () => {
  const user = `user-${randomUUID()}`
  await system.page(user)
  const statuses = new Map<number, number>()
  let over = false
  const load = async (request: () => Promise<Response>): Promise<void> => {
    while (!over) {
      const status = await request().then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const sent: string[] = []
  const webhook = (): Promise<Response> => {
    const uuid = randomUUID()
    sent.push(uuid)
    const body = depositEvent({ uuid, user, amount: '1', status: 'succeeded' })
    const headers = { ...webhookHeaders(system.gatewayKey, body), 'content-type': 'application/json' }
    return fetch(`${url}/api/webhooks/gateway`, { method: 'POST', headers, body })
  }
  const loads = [webhook, webhook, () => fetch(`${url}/api/health/live`), () => fetch(`${url}/launch`)].map(load)
  await sleep(500)
  for (const cashier of system.cashiers) {
    await cashier.stop()
    await cashier.start()
    await sleep(1500)
  }
  over = true
  await Promise.all(loads)
  expect([...statuses.keys()].filter((status) => status === 0 || status >= 500)).toEqual([])
  expect(statuses.get(200) ?? 0).toBeGreaterThan(sent.length)
  const ledger = await system.checkLedger()
  expect(ledger.faults).toEqual([])
  const balances = (await (await system.merchant.call('GET', `/users/${user}/balances`)).json()) as {
    balances: { available: string }[]
  }
  expect(balances.balances.map(({ available }) => available)).toEqual([String(sent.length)])
})
