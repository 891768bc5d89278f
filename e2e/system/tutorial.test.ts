/** The site of docs/tutorial.md books the first deposit. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { startSupervised, type SupervisedProcess } from '../../scripts/supervised-process.ts'
import { installServerPackage } from '../fixtures/install-server-package.ts'
import { requestLaunch } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const folder = mkdtempSync(join(tmpdir(), 'cashier-tutorial-'))
let site: string
let system: System
let shop: SupervisedProcess | undefined

beforeAll(async () => {
  const port = await freePort()
  site = `http://127.0.0.1:${port}`
  system = await startSystem({
    cashier: {
      EMBED_ORIGINS: site,
      MERCHANT_WEBHOOK_URL: `${site}/webhook`,
      MERCHANT_AUTHORIZE_URL: `${site}/authorize`,
    },
  })
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/tutorial.md', 'utf8')) ?? []
  expect(code.split('8080')).toHaveLength(3)
  writeFileSync(join(folder, 'shop.mjs'), code.replaceAll('8080', String(port)))
  installServerPackage(folder)
  const env = {
    NODE_ENV: 'production' as const,
    CASHIER_URL: system.publicUrl,
    MERCHANT_API_KEY: system.merchantApiKey,
    MERCHANT_WEBHOOK_SECRET: system.webhookSecret,
  }
  shop = await startSupervised({ command: process.execPath, args: ['shop.mjs'], env, cwd: folder, ready: /open http/ })
})
afterAll(async () => {
  await shop?.stop()
  await system.close()
  rmSync(folder, { recursive: true, force: true })
})

const bookings = async (): Promise<unknown> => (await fetch(`${site}/bookings`)).json()

/** Requests a token like the page, for the signed-in user. */
async function launchToken(): Promise<string> {
  const answer = await fetch(`${site}/cashier-token`, { method: 'POST' })
  return ((await answer.json()) as { launch_token: string }).launch_token
}

test('its page loads the script, and its token launches the cashier', async () => {
  expect(await (await fetch(site)).text()).toContain(`<script src="${system.publicUrl}/embed.js">`)
  expect((await requestLaunch(system.publicUrl, await launchToken())).status).toBe(303)
})

test('a confirmed deposit is booked once, and a forged event is not', async () => {
  await launchToken()
  const currency_id = system.currency('BTC Bitcoin')
  const uuid = await system.control.detectDeposit({ user_reference: 'mira', currency_id, amount: '25' })
  await system.control.confirmDeposit(uuid)
  const booked = [expect.objectContaining({ transaction_uuid: uuid, amount: '25', user_reference_id: 'mira' })]
  await vi.waitFor(async () => expect(await bookings()).toEqual(booked))
  expect(shop?.output()).toContain('booked: 25 BTC for mira')

  const data = { kind: 'deposit', status: 'succeeded', transaction_uuid: randomUUID(), amount: '1' }
  const forged = await fetch(`${site}/webhook`, {
    method: 'POST',
    body: JSON.stringify({ type: 'transaction.updated', data }),
  })
  expect(forged.status).toBe(400)
  expect(await bookings()).toEqual(booked)
})
