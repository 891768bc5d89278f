import { expect, test } from 'vitest'
import { requireLaunchOrigin, requireOwnPage } from './require-origin.ts'

const OURS = 'https://cashier.example'
const headers = (origin: string | null, site: string | null): Headers =>
  new Headers({ ...(origin !== null && { origin }), ...(site !== null && { 'sec-fetch-site': site }) })

const passes = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden_origin' })
    return false
  }
}

const ORIGINS = [
  OURS,
  'https://shop.example',
  'https://evil.example',
  'http://cashier.example',
  'null',
  '',
  null,
] as const
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', null] as const

test.each(ORIGINS.flatMap((origin) => SITES.map((site) => [origin, site] as const)))(
  'a call from origin %s, site %s',
  (origin, site) => {
    const changing = passes(() => requireOwnPage(headers(origin, site), OURS, true))
    const reading = passes(() => requireOwnPage(headers(origin, site), OURS, false))
    expect(changing).toBe(origin === OURS && (site === 'same-origin' || site === null))
    expect(reading).toBe(
      (origin === OURS || origin === null) && (site === 'same-origin' || site === 'none' || site === null),
    )
  },
)

test.each(ORIGINS)('a launch from origin %s', (origin) => {
  expect(passes(() => requireLaunchOrigin(headers(origin, null), OURS))).toBe(
    origin === OURS || origin === 'null' || origin === null,
  )
})
