import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { leftovers, tell } from './leftovers.ts'

test('a process is known by its mark until it has ended', async () => {
  const mark = `TEST_MARK=${process.pid}`
  const env = { ...process.env, TEST_MARK: String(process.pid) }
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env, stdio: 'ignore' })
  const pid = child.pid ?? 0
  // Elsewhere than on Linux nothing is found, which the docstring says.
  const expected = existsSync('/proc/self/environ') ? [pid] : []
  await vi.waitFor(() => expect(leftovers(mark).map((one) => one.pid)).toEqual(expected), { timeout: 10_000 })
  expect(leftovers(`${mark}0`)).toEqual([])

  tell({ pid, command: '' }, 'SIGKILL')
  await once(child, 'exit')

  expect(leftovers(mark)).toEqual([])
  expect(() => tell({ pid, command: '' }, 'SIGKILL')).not.toThrow()
})
