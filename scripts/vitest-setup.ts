/** Raises the default timeout of `vi.waitFor`: one second is too short on a busy machine. */
import { vi } from 'vitest'

const WAIT_MS = 60_000

const waitFor = vi.waitFor.bind(vi)
// Each test file runs this again in the same process.
if (vi.waitFor.name !== 'waitForLonger')
  vi.waitFor = function waitForLonger(callback, options = WAIT_MS) {
    return waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options })
  }
