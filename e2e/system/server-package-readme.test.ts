/** The program of packages/server/README.md, as it stands there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { startSupervised } from '../../scripts/supervised-process.ts'
import { installServerPackage } from '../fixtures/install-server-package.ts'
import { startSystem } from './start-system.ts'

test('it takes a webhook, and follows the feed by a kept cursor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-server-readme-'))
  const port = await freePort()
  const site = `http://127.0.0.1:${port}`
  const system = await startSystem({ cashier: { MERCHANT_WEBHOOK_URL: site } })
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('packages/server/README.md', 'utf8')) ?? []
  writeFileSync(join(folder, 'example.mjs'), code.replace('8080', String(port)))
  installServerPackage(folder)
  const env = {
    NODE_ENV: 'production' as const,
    CASHIER_URL: system.publicUrl,
    MERCHANT_API_KEY: system.merchantApiKey,
    MERCHANT_WEBHOOK_SECRET: system.webhookSecret,
  }
  const program = await startSupervised({
    ...{ command: process.execPath, args: ['example.mjs'], env, cwd: folder, ready: /launch token \S{20}/ },
  })
  try {
    const currency_id = system.currency('BTC Bitcoin')
    const deposit = await system.control.detectDeposit({ user_reference: 'user-81f3', currency_id, amount: '25' })
    await system.control.confirmDeposit(deposit)
    await vi.waitFor(() => expect(program.output()).toContain(`book 25 BTC as deposit:${deposit}`), { timeout: 10_000 })
    await vi.waitFor(() => expect(program.output()).toContain('webhook transaction.updated'), { timeout: 10_000 })
    expect(readFileSync(join(folder, 'cursor'), 'utf8')).not.toBe('')
    expect((await fetch(site, { method: 'POST', body: '{}' })).status).toBe(401)
  } finally {
    await program.stop()
    await system.close()
    rmSync(folder, { recursive: true })
  }
})
