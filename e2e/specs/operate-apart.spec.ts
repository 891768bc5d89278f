/** The cashier and the operators' console are built from the same sources, and load nothing of one another. */
import type { APIRequestContext, Page } from 'playwright/test'
import { expect, test } from '../fixtures/console-test.ts'

const CHUNK = /static\/chunks\/[\w~.-]+\.(?:js|css)/g

/** Texts that only code of the one or of the other has. */
const MARKS = { cashier: ['/api/cashier', 'x-cashier-session'], console: ['/api/operate', 'publicKey'] } as const

/** The build's files that a page loads, or may load later. */
async function filesOf(page: Page, request: APIRequestContext): Promise<ReadonlyMap<string, string>> {
  const document = await request.get(page.url())
  const found = new Map<string, string>()
  const next = [...new Set((await document.text()).match(CHUNK))]
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  next.push(...loaded.flatMap((name) => name.match(CHUNK) ?? []))
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (found.has(file)) continue
    const text = await (await request.get(`/_next/${file}`)).text()
    found.set(file, text)
    next.push(...(text.match(CHUNK) ?? []))
  }
  return found
}

const having = (files: ReadonlyMap<string, string>, marks: readonly string[]): readonly string[] =>
  [...files]
    .filter(([, text]) => marks.some((mark) => text.toLowerCase().includes(mark.toLowerCase())))
    .map(([name]) => name)

const styles = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files.keys()].filter((name) => name.endsWith('.css'))

test('neither loads, nor can load, scripts or styles of the other', async ({ page, request, openOnTop, signIn }) => {
  await openOnTop()
  await expect(page.getByRole('navigation')).toBeVisible()
  const cashier = await filesOf(page, request)
  const cashierPage = await page.content()
  await signIn('admin')
  const operators = await filesOf(page, request)
  const consolePage = await (await request.get('/operate')).text()

  // The search finds what is there.
  expect(having(cashier, MARKS.cashier).length).toBeGreaterThan(0)
  expect(having(operators, MARKS.console).length).toBeGreaterThan(0)
  expect(styles(operators).length).toBeGreaterThan(0)

  expect(having(cashier, MARKS.console)).toEqual([])
  expect(having(operators, MARKS.cashier)).toEqual([])
  expect(styles(operators).filter((name) => cashier.has(name))).toEqual([])
  expect(cashierPage).not.toContain('Sign in to the console')
  expect(consolePage).toContain('Sign in to the console')
  expect(consolePage).not.toContain('Check before you send')
})
