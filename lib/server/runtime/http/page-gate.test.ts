import { expect, test } from 'vitest'
import { pageGate, type Admission } from './page-gate.ts'
import { NO_LIMITS } from './rate-limits.ts'

const doneOf = (admission: Admission): (() => void) => {
  if (admission.shows !== 'page') throw new Error(`shows ${admission.shows}`)
  return admission.done
}

const page = { pathname: '/onramp/return', cookieHeader: null, client: '192.0.2.1' }

test('pages without a session are rendered a few at a time; others wait, and too many are refused', async () => {
  const gate = pageGate({
    authenticator: { identify: () => Promise.resolve({ state: 'none' }) },
    operators: { exists: () => Promise.resolve(false) },
    rateLimits: NO_LIMITS,
    mostAtOnce: 2,
    mostWaiting: 1,
  })
  const [one, two] = [doneOf(await gate.admit(page)), doneOf(await gate.admit(page))]
  let admitted = false
  const third = gate.admit(page).then((found) => {
    admitted = true
    return found
  })
  await expect(gate.admit(page)).rejects.toMatchObject({ code: 'rate_limited', extras: { retryAfterS: 1 } })
  expect(admitted).toBe(false)
  one()
  one()
  const done = doneOf(await third)
  await expect(Promise.race([gate.admit(page), Promise.resolve('waits')])).resolves.toBe('waits')
  two()
  done()
  expect(admitted).toBe(true)
})

test('a document that needs no render does not wait, but counts by address', async () => {
  const counted: string[] = []
  const ended = { state: 'ended', returnUrl: 'https://shop.example/wallet', merchantName: 'Shop' } as const
  const identify = (id: string) => Promise.resolve(id === 'over' ? ended : ({ state: 'none' } as const))
  const take = (limit: string, whom: string) => Promise.resolve(void counted.push(`${limit} ${whom}`))
  const operators = { exists: () => Promise.resolve(false) }
  const gate = pageGate({ authenticator: { identify }, operators, rateLimits: { take }, mostAtOnce: 0, mostWaiting: 0 })
  const shown = async (pathname: string, dev = false) => (await gate.admit({ ...page, pathname, dev })).shows
  expect(await shown('/c/over/deposit')).toBe('ended')
  expect(await gate.admit({ ...page, pathname: '/c/over' })).toEqual({ shows: 'ended', wayBack: ended })
  expect(await shown('/c/other/history/')).toBe('no-session')
  for (const path of [
    '/',
    '/c',
    '/c/other/settings',
    '/c/other/deposit/x',
    '/onramp',
    '/a.txt',
    '/_next/x',
    '/operate',
  ])
    expect([path, await shown(path)]).toEqual([path, 'not-found'])
  expect(counted).toEqual(Array(11).fill('pages 192.0.2.1'))
  await expect(shown('/onramp/return')).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(shown('/a-page-of-development', true)).rejects.toMatchObject({ code: 'rate_limited' })
})
