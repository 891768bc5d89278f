import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { findOrphans, signalOrphan } from './orphans.ts'

test('a process is found by its mark until it has ended', async () => {
  const mark = `TEST_MARK=${process.pid}`
  const env = { ...process.env, TEST_MARK: String(process.pid) }
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env, stdio: 'ignore' })
  const pid = child.pid ?? 0
  const expected = existsSync('/proc/self/environ') ? [pid] : []
  await vi.waitFor(() => expect(findOrphans(mark).map((one) => one.pid)).toEqual(expected))
  expect(findOrphans(`${mark}0`)).toEqual([])

  signalOrphan({ pid, command: '' }, 'SIGKILL')
  await once(child, 'exit')

  expect(findOrphans(mark)).toEqual([])
  expect(() => signalOrphan({ pid, command: '' }, 'SIGKILL')).not.toThrow()
})
