import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { startCashier } from '../fixtures/processes.ts'
import { expect, test } from '../fixtures/test.ts'

test('the built server has no TypeScript compiler in memory', async ({ stack }) => {
  const [hook, found] = [join(stack.folder, 'at-exit.cjs'), join(stack.folder, 'modules.json')]
  writeFileSync(
    hook,
    // The process that supervises it is of TypeScript too.
    `process.on('exit', () => {
      if (!process.argv[1].endsWith('/server.ts')) return
      require('node:fs').writeFileSync(${JSON.stringify(found)}, JSON.stringify(process.moduleLoadList))
    })\n`,
  )
  const PORT = String(await freePort())
  const { process } = await startCashier({
    ...stack.cashier.env,
    PORT,
    PUBLIC_URL: `http://localhost:${PORT}`,
    DATABASE_URL: `file:${join(stack.folder, 'no-compiler.db')}`,
    NODE_OPTIONS: `--require=${hook}`,
  })
  expect(await process.stop()).toBe(0)
  const modules = readFileSync(found, 'utf8')
  expect(modules).toContain('internal/modules/esm/loader')
  expect(modules).not.toContain('internal/deps/amaro')
})
