import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { EXAMPLE_SCENES } from './scenes/examples.ts'
import { eventually, testReceiver } from './testing/test-sandbox.ts'
import { sandboxProcesses } from './testing/sandbox-process.ts'

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
const { start, run, ended, folder } = sandboxProcesses()

/** As a reader starts it: with the usual merchant, and keys that it creates. */
const asWritten = { SANDBOX_API_KEY: '', SANDBOX_MERCHANT_PUBLIC_KEY: '', SANDBOX_WEBHOOK_URL: 'none' }

/** The words of a command of the README after `npm run sandbox --`. */
const commandOf = (name: string): readonly string[] => {
  const line = readme.split('\n').find((one) => one.startsWith(`npm run sandbox -- ${name} `)) ?? ''
  return line.split(' ').slice(4)
}

test('the first call of the README is accepted', async () => {
  const { url } = await start([], asWritten)
  const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(readme) ?? []
  expect(script).toContain('http://localhost:4010')
  const { stdout } = await promisify(execFile)('sh', ['-c', script.replaceAll('http://localhost:4010', url)], {
    cwd: folder(),
  })
  const listed = JSON.parse(stdout) as readonly { currency_code: string }[]
  expect(listed.map(({ currency_code }) => currency_code)).toContain('USDT')
})

test('the first webhook of the README arrives', async () => {
  const { url } = await start([], asWritten)
  const receiver = await testReceiver()
  const listen = commandOf('listen').map((word) => (word.startsWith('http') ? receiver.url : word))
  const listener = run([...listen, '--sandbox', url])
  await eventually(listener.said).toContain('Ctrl+C ends')
  expect((await ended([...commandOf('trigger'), '--sandbox', url])).code).toBe(0)
  await eventually(listener.said).toMatch(/User Deposit succeeded .* 200 in/)
  receiver.close()
})

test('the scenes and the conformance command of the README exist', async () => {
  expect(readme).toContain('[ten scenes](scenes)')
  expect(Object.keys(EXAMPLE_SCENES)).toHaveLength(10)
  const [, scene = ''] = /-- play ([a-z-]+)/.exec(readme) ?? []
  expect((await ended(['play', scene, '--check'])).code).toBe(0)
  const { said } = await ended(commandOf('conformance'))
  expect(said).toContain('--private-key cannot be used')
})
