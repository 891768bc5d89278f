import { expect, test } from 'vitest'
import { pageGate } from './page-gate.ts'
import { NO_LIMITS } from './rate-limits.ts'

const page = { pathname: '/onramp/return', cookieHeader: null, client: '192.0.2.1' }

test('pages without a session are rendered a few at a time; the others wait in turn, and too many are refused', async () => {
  const gate = pageGate({
    authenticator: { identify: () => Promise.resolve({ state: 'none' }) },
    rateLimits: NO_LIMITS,
    mostAtOnce: 2,
    mostWaiting: 1,
  })
  const [one, two] = [await gate.admit(page), await gate.admit(page)]
  let admitted = false
  const third = gate.admit(page).then((found) => {
    admitted = true
    return found
  })
  await expect(gate.admit(page)).rejects.toMatchObject({ code: 'rate_limited', extras: { retryAfterS: 1 } })
  expect(admitted).toBe(false)
  one.done()
  one.done()
  const { done } = await third
  await expect(Promise.race([gate.admit(page), Promise.resolve('waits')])).resolves.toBe('waits')
  two.done()
  done()
  expect(admitted).toBe(true)
})
