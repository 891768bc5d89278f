import { existsSync, mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Command, type SupervisedProcess, startSupervised } from './supervised-process.ts'

const env = { NODE_ENV: 'test', PATH: process.env['PATH'] } as const
const start = (script: string, more: Partial<Command> = {}): Promise<SupervisedProcess> =>
  startSupervised({ command: process.execPath, args: ['-e', script], env, ready: /up (\d+)/, ...more })

const alive = (pid: string | undefined): boolean => {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

const forever = 'setInterval(() => {}, 1000); console.log("up", process.pid);'

test('it is ready when its output matches, and ends when stopped', async () => {
  const child = await start(`process.on("SIGTERM", () => { console.log("bye"); process.exit(7) }); ${forever}`)
  const pid = child.ready[1]
  expect(alive(pid)).toBe(true)

  expect(await child.stop()).toBe(7)

  expect(child.output()).toContain('bye')
  expect(alive(pid)).toBe(false)
})

test('a process that ignores the signal is killed', async () => {
  const child = await start(`process.on("SIGTERM", () => {}); ${forever}`, { graceMs: 100 })

  expect(await child.stop()).toBe(128 + 9)
})

test('its children end with it', async () => {
  const child = await start(
    `const listen = 'const s = net.createServer().listen(0, "127.0.0.1", () => console.log("up", s.address().port))'
    require("node:child_process").spawn(process.execPath, ["-e", listen], { stdio: "inherit" })
    setInterval(() => {}, 1000)`,
  )
  const port = Number(child.ready[1])
  expect(await listens(port)).toBe(true)
  await child.stop()

  await vi.waitFor(async () => expect(await listens(port)).toBe(false))
})

test('a signal is passed on', async () => {
  const child = await start(`process.on("SIGUSR2", () => process.exit(3)); ${forever}`)
  child.signal('SIGUSR2')

  expect(await child.exited).toBe(3)
})

test('a process that ends before it is ready is reported with its output', async () => {
  await expect(start('console.error("no such key"); process.exit(1)')).rejects.toThrow(/ended with 1[^]*no such key/)
})

test('a process that never becomes ready is stopped', async () => {
  const silent = start('setInterval(() => {}, 1000)', { readyMs: 500 })

  await expect(silent).rejects.toThrow('not ready after 500 ms')
})

test('its files are removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-child-'))
  const child = await start(forever, { removeAfter: [folder] })
  await child.stop()

  expect(existsSync(folder)).toBe(false)
})
