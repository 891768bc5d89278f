/** The process: when its port opens, how it stops, also under npm, and the account that a page at top level names. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '../fixtures/test.ts'
import { freePort } from '../../scripts/free-port.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const statusOf = (url: string): Promise<number | null> =>
  fetch(url).then(
    (response) => response.status,
    () => null,
  )

test('it answers only when all of it works; after SIGTERM it first tells load balancers, and npm passes SIGTERM on', async ({
  stack,
}) => {
  const PORT = String(await freePort())
  const url = `http://localhost:${PORT}`
  const env = {
    ...process.env,
    ...stack.cashier.env,
    PORT,
    LOG_LEVEL: 'info',
    PUBLIC_URL: url,
    DATABASE_URL: 'file::memory:',
    // Long enough to see the drain on a slow machine.
    DRAIN_S: '10',
  }
  const npm = spawn('npm', ['start', '--silent'], { cwd: ROOT, env, stdio: 'pipe' })
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const seen: (number | null)[] = []
  while (!output.includes('listening on')) {
    seen.push(await statusOf(`${url}/api/health/live`))
    await sleep(20)
  }
  seen.push(await statusOf(`${url}/api/health/live`), await statusOf(`${url}/api/health/ready`))
  expect(new Set(seen)).toEqual(new Set([null, 200]))
  expect(seen.slice(-2)).toEqual([200, 200])
  const lines = output.trim().split('\n')
  const said = lines.map((line) => JSON.parse(line) as { level: string; msg: string; version?: string })
  expect(said[0]).toMatchObject({ msg: 'starting', version: expect.any(String) })
  expect(said).toContainEqual(expect.objectContaining({ msg: `listening on http://localhost:${PORT}`, level: 'info' }))
  expect(output).not.toContain('could not be rendered in advance')
  expect(await statusOf(`${url}/c/%`)).toBe(404)
  expect(await statusOf(`${url}/api/metrics`)).toBe(200)

  npm.kill('SIGTERM')
  await expect.poll(() => statusOf(`${url}/api/health/ready`), { intervals: [50] }).toBe(503)
  expect(await statusOf(`${url}/api/health/live`)).toBe(200)
  await expect.poll(() => statusOf(`${url}/api/health/live`)).toBeNull()
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit')
})

test('at top level the page says whose account it is', async ({ page, stack }) => {
  const label = 'J•••@example.com'
  const session = await stack.cashier.api.createSession({ user_reference_id: 'labelled', account_label: label })
  await page.goto(session.launch_url)
  await expect(page.getByTestId('account-label')).toHaveText(label)
})
