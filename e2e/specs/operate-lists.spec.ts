/** The console's lists: filters, order, columns, pages and views, all in the address; and their files. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/console-test.ts'
import { addPayouts, addQuarantine, addTransactions, addWithdrawals } from '../fixtures/list-rows.ts'
import { violations } from '../fixtures/violations.ts'

const WIDE = { width: 1280, height: 800 }

const rowsOf = (page: Page) => page.locator('tbody [data-row]')
const idsOf = (page: Page): Promise<readonly (string | null)[]> =>
  rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))
const tool = (page: Page, name: string | RegExp) => page.locator('main').getByRole('button', { name })

const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_row, index) => ({
    id: `${prefix}-${String(index).padStart(3, '0')}`,
    status: index % 3 === 0 ? 'failed' : 'succeeded',
  }))

test.describe('on a wide screen', () => {
  test.use({ viewport: WIDE })

  test('filters, order and page are in the address, and a link shows the same to another person', async ({
    page,
    stack,
    user,
    browser,
    signIn,
  }) => {
    addTransactions(stack, user, numbered(120, user))
    await signIn('viewer')
    await page.goto('/operate/transactions')
    await tool(page, 'Filters').click()
    await page.getByRole('textbox', { name: 'User' }).fill(user)
    await page.getByRole('checkbox', { name: 'Succeeded' }).check()
    await page.getByLabel('Amount from').fill('10')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(new RegExp(`status=succeeded&user=${user}&amount_from=10$|user=${user}`))
    await expect(rowsOf(page)).toHaveCount(50)
    await expect(page.getByRole('button', { name: 'Filters (3)' })).toBeVisible()
    await expect(rowsOf(page).first()).toHaveAttribute('data-row', `deposit ${user}-001`)

    await page.getByRole('button', { name: 'First seen' }).click()
    await expect(page.getByRole('columnheader', { name: 'First seen' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(rowsOf(page).first()).toHaveAttribute('data-row', `deposit ${user}-119`)
    await page.getByRole('link', { name: 'Next page' }).click()
    await expect(rowsOf(page)).toHaveCount(30)
    await expect(page.getByRole('link', { name: 'Next page' })).toHaveCount(0)

    await tool(page, 'Columns').click()
    await page.getByRole('checkbox', { name: 'Hash' }).check()
    await page.getByRole('checkbox', { name: 'Kind' }).uncheck()
    await expect(page.getByRole('columnheader', { name: 'Hash' })).toBeVisible()
    const shown = await idsOf(page)

    const other = await (await browser.newContext({ baseURL: stack.cashier.url, viewport: WIDE })).newPage()
    await signIn('viewer', other)
    await other.goto(page.url())
    await expect(rowsOf(other)).toHaveCount(30)
    expect(await idsOf(other)).toEqual(shown)
    await expect(other.getByRole('columnheader', { name: 'Hash' })).toBeVisible()
    await expect(other.getByRole('columnheader', { name: 'Kind' })).toHaveCount(0)
    await other.context().close()

    // The columns stay this person's own.
    await page.goto('/operate/transactions')
    await expect(page.getByRole('columnheader', { name: 'Hash' })).toBeVisible()
    await expect(page).toHaveURL(/columns=/)
    await page.goBack()
    await expect(rowsOf(page)).toHaveCount(30)
    await page.getByRole('link', { name: 'Previous page' }).click()
    await expect(rowsOf(page)).toHaveCount(50)
    await page.getByRole('button', { name: 'Remove the filter Status' }).click()
    await expect(rowsOf(page).first()).toHaveAttribute('data-row', `deposit ${user}-119`)
    await expect(page).not.toHaveURL(/status=/)
  })

  test('rows are reached and opened by the keyboard', async ({ page, stack, user, signIn }) => {
    addWithdrawals(stack, user, numbered(3, user))
    await signIn('viewer')
    await page.goto(`/operate/withdrawals?user=${user}`)
    await expect(rowsOf(page)).toHaveCount(3)
    await page.keyboard.press('j')
    await expect(rowsOf(page).nth(0)).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await expect(rowsOf(page).nth(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/operate/withdrawals/${user}-001$`))
    await page.goBack()
    await rowsOf(page).nth(2).getByText('Succeeded').click()
    await expect(page).toHaveURL(new RegExp(`/operate/withdrawals/${user}-002$`))
  })

  test('views are saved, opened, renamed and deleted, each person for themselves', async ({
    page,
    stack,
    user,
    browser,
    signIn,
    consoleFaults,
  }) => {
    addPayouts(stack, user, numbered(4, user))
    await signIn('agent')
    await page.goto(`/operate/payouts?user=${user}&owner=none&sort=first_seen_at`)
    await expect(rowsOf(page)).toHaveCount(2)
    await tool(page, 'Views').click()
    await page.getByLabel('Name of a view').fill('Nobody’s')
    await page.getByRole('button', { name: 'Save view' }).click()
    const view = page.getByRole('link', { name: 'Nobody’s' })
    await expect(view).toHaveAttribute('aria-current', 'true')
    // The same name again is refused, and the name stays in the field.
    await page.getByLabel('Name of a view').fill('Nobody’s')
    await page.getByRole('button', { name: 'Save view' }).click()
    const taken = page.getByRole('alert').filter({ hasText: 'You have a view of this list with this name.' })
    await expect(taken).toBeVisible()
    await expect(page.getByLabel('Name of a view')).toHaveValue('Nobody’s')
    consoleFaults.length = 0

    await page.goto('/operate/payouts')
    await tool(page, 'Views').click()
    await view.click()
    await expect(page).toHaveURL(/owner=none/)
    await expect(rowsOf(page)).toHaveCount(2)
    await page.getByRole('button', { name: 'Rename Nobody’s' }).click()
    await page.getByLabel('New name of Nobody’s').fill('Open')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await expect(page.getByRole('link', { name: 'Open', exact: true })).toBeVisible()

    const other = await (await browser.newContext({ baseURL: stack.cashier.url, viewport: WIDE })).newPage()
    await signIn('agent', other)
    await other.goto('/operate/payouts')
    await tool(other, 'Views').click()
    await expect(other.getByText('You have no views of this list.')).toBeVisible()
    await other.context().close()

    await page.getByRole('button', { name: 'Remove the filter Owner' }).click()
    await page.getByRole('button', { name: 'Replace Open by what is shown' }).click()
    await expect(page.getByRole('link', { name: 'Open', exact: true })).toHaveAttribute('aria-current', 'true')
    await page.getByRole('button', { name: 'Delete Open' }).click()
    await expect(page.getByText('You have no views of this list.')).toBeVisible()
  })

  test('a file has the rows that pass the filters', async ({ page, stack, user, signIn }) => {
    addTransactions(stack, user, numbered(60, user))
    await signIn('viewer')
    await page.goto(`/operate/transactions?user=${user}&status=failed`)
    await expect(rowsOf(page)).toHaveCount(20)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('transactions.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines).toHaveLength(21)
    expect(lines[1]).toContain(`"${user}-000"`)
  })

  test('a list without rows says why; one that fails can be tried again', async ({
    page,
    user,
    signIn,
    consoleFaults,
  }) => {
    await signIn('viewer')
    await page.goto(`/operate/withdrawals?user=${user}`)
    await expect(page.getByRole('heading', { name: 'Nothing passes these filters' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL(/\/operate\/withdrawals$/)
    await page.route('**/api/operate/lists/payouts?**', (route) => route.abort())
    await page.goto(`/operate/payouts?user=${user}`)
    await expect(page.locator('main').getByRole('alert')).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Nothing passes these filters' })).toBeVisible()
    consoleFaults.length = 0
  })

  test('what is not valid in an address is left out', async ({ page, stack, user, signIn }) => {
    addQuarantine(stack, user, [{ id: `${user}-q`, status: 'stale' }])
    await signIn('viewer')
    await page.goto(`/operate/quarantine?user=${user}&reason=nothing&from=soon&cursor=&columns=gone`)
    await expect(rowsOf(page)).toHaveCount(1)
    await expect(rowsOf(page)).toContainText('Too old')
    await page.getByRole('link', { name: 'Settled', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Nothing passes these filters' })).toBeVisible()
  })
})

const LISTS = ['transactions', 'withdrawals', 'payouts', 'quarantine'] as const

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 390, height: 700 } },
  { colorScheme: 'dark', viewport: WIDE },
] as const

for (const { colorScheme, viewport } of LOOKS)
  test.describe(() => {
    test.use({ colorScheme, viewport })

    test(`axe finds nothing in the lists, and they fit: ${colorScheme} ${String(viewport.width)}`, async ({
      page,
      stack,
      user,
      signIn,
    }) => {
      const statuses = ['succeeded', 'failed', 'processing', 'awaiting_approval'] as const
      const rows = statuses.map((status, index) => ({
        id: `${user}-${String(index)}`,
        status,
        overdue: status === 'processing',
        amount: '123456789.000000000000000001',
      }))
      addTransactions(stack, user, rows)
      addWithdrawals(stack, user, [...rows, { id: `${user}-u`, status: 'unknown' }])
      addPayouts(stack, user, rows)
      addQuarantine(stack, user, [
        { id: `${user}-s`, status: 'stale' },
        { id: `${user}-o`, status: 'overdue' },
      ])
      await signIn('agent')
      for (const list of LISTS) {
        await page.goto(`/operate/${list}?user=${user}`)
        await expect(rowsOf(page).first()).toBeVisible()
        // The tools are the same in all lists.
        for (const name of list === 'transactions' ? ['Views', 'Columns', 'Filters'] : ['Filters']) {
          await tool(page, new RegExp(`^${name}`)).click()
          expect(await violations(page.mainFrame())).toEqual([])
        }
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow).toBe(0)
        const id = rowsOf(page).first().getByRole('link', { name: user }).locator('code')
        const lines = await id.evaluate((code) => {
          const text = document.createRange()
          text.selectNodeContents(code)
          return text.getClientRects().length
        })
        expect(lines, `lines of a user's id in ${list}`).toBeLessThanOrEqual(3)
      }
      await page.goto('/operate/payouts?user=nobody-here')
      await expect(page.getByRole('heading', { name: 'Nothing passes these filters' })).toBeVisible()
      expect(await violations(page.mainFrame())).toEqual([])
    })
  })
