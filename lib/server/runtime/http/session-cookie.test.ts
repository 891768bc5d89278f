import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sessionCookies } from './session-cookie.ts'

const OLD = 'o'.repeat(32)
const NEW = 'n'.repeat(40)
const pair = (setCookie: string): string => setCookie.split(';')[0] ?? ''

test('a cookie has every documented attribute and opens only its own session', async () => {
  const cookies = sessionCookies([NEW], 600)
  const [id, other] = [randomUUID(), randomUUID()]
  const sealed = await cookies.seal(id, 600)
  const [first, ...attributes] = sealed.split('; ')
  expect(first).toMatch(new RegExp(`^__Host-cashier-${id}=[!-:<-~]+$`))
  expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=600', 'Partitioned', 'Path=/', 'SameSite=None', 'Secure'])
  expect(sealed.length).toBeLessThan(500)
  expect(await cookies.holds(pair(sealed), id)).toBe(true)
  expect(await cookies.holds(`theme=dark; ${pair(sealed)}; x=y`, id)).toBe(true)
  expect(await cookies.holds(pair(sealed), other)).toBe(false)
  expect(await cookies.holds(null, id)).toBe(false)
})

test('a cookie that another instance sealed opens too, at any place in the header', async () => {
  const id = randomUUID()
  const sealed = pair(await sessionCookies([NEW], 600).seal(id, 600))
  const cookies = sessionCookies([NEW], 600)
  for (const header of [sealed, sealed, `a=1;${sealed}`, `x${sealed}; ${sealed}`, ` ${sealed} ; b=2`])
    expect([header, await cookies.holds(header, id)]).toEqual([header, true])
  for (const header of [`x${sealed}`, `x=${sealed}`, sealed.replace('=', 'x='), sealed.replace('=', '')])
    expect([header, await cookies.holds(header, id)]).toEqual([header, false])
})

test("a cookie under another session's name opens nothing", async () => {
  const cookies = sessionCookies([NEW], 600)
  const [id, other] = [randomUUID(), randomUUID()]
  const stolen = pair(await cookies.seal(id, 600)).replace(id, other)
  expect(await cookies.holds(stolen, other)).toBe(false)
})

test('a changed cookie opens nothing', async () => {
  const cookies = sessionCookies([NEW], 600)
  const id = randomUUID()
  const value = pair(await cookies.seal(id, 600))
  expect(await cookies.holds(`${value.slice(0, -8)}AAAAAA~2`, id)).toBe(false)
  expect(await cookies.holds(`__Host-cashier-${id}=`, id)).toBe(false)
  expect(await cookies.holds(`__Host-cashier-${id}=%E0%A4%A`, id)).toBe(false)
})

test('secrets rotate: the first seals, all open, a removed one does not', async () => {
  const id = randomUUID()
  const before = pair(await sessionCookies([OLD], 600).seal(id, 600))
  const during = sessionCookies([NEW, OLD], 600)
  expect(await during.holds(before, id)).toBe(true)
  const after = pair(await during.seal(id, 600))
  expect(await sessionCookies([NEW], 600).holds(after, id)).toBe(true)
  expect(await sessionCookies([NEW], 600).holds(before, id)).toBe(false)
  expect(await sessionCookies([OLD], 600).holds(after, id)).toBe(false)
})

test('the sessions of all sent cookies are known by name; a cookie is cleared with the same attributes', () => {
  const cookies = sessionCookies([NEW], 600)
  const [a, b] = [randomUUID(), randomUUID()]
  const header = `x=1; __Host-cashier-${a}=v; __Host-cashier-${b}=w; __Host-cashier-none=z; __Host-other=1`
  expect(cookies.named(header)).toEqual([a, b])
  expect(cookies.named(null)).toEqual([])
  const [first, ...attributes] = cookies.clear(a).split('; ')
  expect(first).toBe(`__Host-cashier-${a}=`)
  expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=0', 'Partitioned', 'Path=/', 'SameSite=None', 'Secure'])
})
