/** The static site of the documents. */
import { expect, test as base } from 'playwright/test'
import { OLDER_VERSION, startDocsSite, type DocsSite } from '../fixtures/docs-site.ts'
import { violations } from '../fixtures/violations.ts'

const test = base.extend<{ faults: string[] }, { site: DocsSite }>({
  site: [
    async ({}, use) => {
      const site = await startDocsSite()
      await use(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
  faults: [
    async ({ page }, use) => {
      const faults: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) faults.push(message.text())
      })
      page.on('pageerror', ({ message }) => faults.push(message))
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 700 }
const PAGES = [
  'index.html',
  'guides/backend.html',
  'reference/environment.html',
  'reference/openapi.html',
  'source/ops/nginx/nginx.conf.html',
  'examples/backends/index.html',
]

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [PHONE, WIDE])
    test(`axe finds no violation, and no page is wider than the screen: ${colorScheme}, ${viewport.width} px`, async ({
      page,
      site,
    }) => {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      for (const path of PAGES) {
        await page.goto(site.url + path)
        expect([path, await violations(page.mainFrame())]).toEqual([path, []])
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([path, tooWide]).toEqual([path, 0])
      }
    })

test('the search finds a heading by the beginning of a word, and leads there by the keyboard', async ({
  page,
  site,
}) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.goto(`${site.url}guides/embed.html`)
  await page.getByLabel('Search').fill('control tot')
  await expect(page.getByRole('status')).toHaveText(/^\d+ found$/)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Control totals Money' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site.url}explanation/money.html#control-totals`)
  await expect(page.getByRole('heading', { name: 'Control totals' })).toBeInViewport()
  await page.getByLabel('Search').fill('zzzz qqqq')
  await expect(page.getByRole('status')).toHaveText('Nothing found')
  expect([...origins]).toEqual([new URL(site.url).origin])
})

test('a language chosen in one place holds for all code, by the arrow keys, and is remembered', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}guides/backend.html`)
  const first = page.getByRole('tablist', { name: 'Language' }).first()
  await expect(first.getByRole('tab', { name: 'Node' })).toHaveAttribute('aria-selected', 'true')
  await first.getByRole('tab', { name: 'Node' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(first.getByRole('tab', { name: 'Python' })).toBeFocused()
  const panels = page.getByRole('tabpanel')
  await expect(panels).toHaveCount(3)
  for (const panel of await panels.all()) await expect(panel).toContainText(/def \w+\(/)
  await page.reload()
  await expect(page.getByRole('tabpanel', { name: 'Python' })).toHaveCount(3)
})

test('another version is one choice away, and the top leads to the newest', async ({ page, site }) => {
  await page.goto(new URL('../index.html', site.url).href)
  await expect(page).toHaveURL(`${site.url}index.html`)
  await page.getByLabel('Version').selectOption(OLDER_VERSION)
  await expect(page).toHaveURL(new URL(`../${OLDER_VERSION}/index.html`, site.url).href)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: PHONE })
  test('all code and the navigation are there', async ({ page, site }) => {
    await page.goto(`${site.url}guides/backend.html`)
    await expect(page.getByText('def verified(headers, body):')).toBeVisible()
    await expect(page.getByText('func verified(request *http.Request)')).toBeVisible()
    await page.getByText('All documents').click()
    await page.getByRole('link', { name: 'Support', exact: true }).click()
    await expect(page).toHaveURL(`${site.url}guides/support.html`)
  })
})
