/** Headers of the pages and files of a production build. */
import { expect, test } from '../fixtures/test.ts'
import { frameOf } from '../views/scrolled-host.ts'

test('every script of a page has the nonce of its response', async ({ page, openOnTop }) => {
  await openOnTop()
  for (const path of [page.url(), `${new URL(page.url()).origin}/onramp/return`]) {
    const response = await page.request.get(path)
    const nonce = /'nonce-([^']+)'/.exec(response.headers()['content-security-policy'] ?? '')?.[1]
    const scripts = [...(await response.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce ?? ''}"`))).toEqual([])
  }
})

test('pages are never cached, build files are cached forever, and source maps are not served', async ({
  page,
  openOnTop,
  stack,
}) => {
  await openOnTop()
  const own = await page.request.get(page.url())
  expect(own.headers()['cache-control']).toContain('no-store')
  expect(own.headers()['x-powered-by']).toBeUndefined()
  expect(own.headers()['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)

  const files = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .filter((name) => name.includes('/_next/static/')),
  )
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const response = await page.request.get(file)
    expect(response.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers()['x-content-type-options']).toBe('nosniff')
    expect(await response.text()).not.toMatch(/sourceMappingURL=(?!data:)/)
    expect((await page.request.get(`${file}.map`)).status()).toBe(404)
  }
  for (const path of ['/server.ts', '/.env', '/package.json', '/.git/config', '/_next/server/app/page.js']) {
    expect((await page.request.get(stack.cashier.url + path)).status()).toBe(404)
  }
})

test('the policy blocks an injected script', async ({ page, openCashier, consoleFaults }) => {
  await openCashier()
  const ran = await frameOf(page).evaluate(async () => {
    const element = document.createElement('div')
    element.innerHTML = '<img src="data:," onerror="window.ran = 1">'
    document.body.append(element)
    await new Promise((resolve) => setTimeout(resolve, 300))
    return 'ran' in window
  })
  expect(ran).toBe(false)
  expect(consoleFaults.join()).toContain('Content Security Policy')
  consoleFaults.length = 0
})
