/**
 * One review makes one withdrawal, for all kinds of presses and interruptions. Each run chooses a press, a gap, a
 * slowed page and an interruption by `BURST_SEED`; `BURST_RUNS=500` makes 500 runs instead of one with each
 * interruption.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright/test'
import { TRON_ADDRESS } from '../fixtures/money.ts'
import { pressEach, PRESSES, type Press } from '../fixtures/press-bursts.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { loseNextAnswer } from '../fixtures/withdrawal-requests.ts'
import { Cashier } from '../views/cashier.ts'
import { reloadFrame } from '../views/scrolled-host.ts'

const INTERRUPTIONS = ['nothing', 'reload', 'other-flow', 'second-tab', 'lost-response'] as const
const RUNS = Number(process.env['BURST_RUNS'] ?? INTERRUPTIONS.length)
const SEED = Number(process.env['BURST_SEED'] ?? 1)
/** Two parallel tests share the runs if there are many. */
const SHARES = RUNS > 20 ? 2 : 1

const GAPS_MS = [10, 20, 40, 60, 70, 100, 150, 200]
const SLOWNESS = [
  { cpu: 1, latencyMs: 0 },
  { cpu: 4, latencyMs: 0 },
  { cpu: 1, latencyMs: 250 },
  { cpu: 3, latencyMs: 120 },
]

interface Run {
  readonly amount: string
  readonly press: Press
  readonly gapMs: number
  readonly slow: (typeof SLOWNESS)[number]
  readonly interruption: (typeof INTERRUPTIONS)[number]
  readonly afterMs: number
}

/** A linear congruential generator: the same seed gives the same runs. */
function runsOf(share: number): readonly Run[] {
  let state = SEED * 7919 + share
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T
  return Array.from({ length: Math.ceil(RUNS / SHARES) }, (_item, at) => ({
    amount: String(at + 1),
    // Even a few runs have each interruption, and twenty runs have each pair of a press and an interruption.
    press: PRESSES[(at + SEED) % PRESSES.length] as Press,
    gapMs: pick(GAPS_MS),
    slow: pick(SLOWNESS),
    interruption: INTERRUPTIONS[(at + share) % INTERRUPTIONS.length] as Run['interruption'],
    afterMs: next(600),
  }))
}

test.use({ hasTouch: true })

/** The Idempotency-Keys under which an amount was requested, by amount, in all tabs. */
function keysSent(context: BrowserContext): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>()
  context.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/api/cashier/withdrawals')) return
    const { amount } = request.postDataJSON() as { amount: string }
    keys.set(amount, (keys.get(amount) ?? new Set()).add(request.headers()['idempotency-key'] ?? ''))
  })
  return keys
}

async function slowDown(page: Page, { cpu, latencyMs }: Run['slow']): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}

/** After this time another way is tried, because an earlier navigation may have moved the page elsewhere. */
const SOON = { timeout: 5000 }

/** False if this run is not interrupted. */
async function interrupt(page: Page, cashier: Cashier, { interruption, afterMs }: Run): Promise<boolean> {
  if (interruption !== 'reload' && interruption !== 'other-flow') return false
  await sleep(afterMs)
  if (interruption === 'reload') await reloadFrame(page)
  else {
    await cashier.root.getByRole('navigation').getByRole('link', { name: 'History' }).click()
    // An answer that comes at this moment moves the page to the outcome instead.
    const history = cashier.root.getByRole('heading', { level: 1, name: 'History' })
    await history.or(cashier.withdraw.outcome()).first().waitFor()
  }
  return true
}

/**
 * Moves from any screen to the outcome, or to the question whether to send again, which shows that it was sent before.
 */
async function finish(page: Page, cashier: Cashier, run: Run): Promise<void> {
  const { root } = cashier
  const form = root.getByRole('button', { name: 'Review' })
  const send = root.getByTestId('withdraw-review').getByRole('button', { name: `Send ${run.amount} USDT`, exact: true })
  const asked = root.getByText('less than two minutes ago')
  const ended = cashier.withdraw.outcome().or(asked)
  await expect(async () => {
    // Late presses may have opened a row of the history.
    if (await cashier.history.details().isVisible()) await page.keyboard.press('Escape')
    if (!(await root.getByRole('heading', { level: 1, name: 'Withdraw' }).isVisible())) await cashier.goTo('Withdraw')
    await ended.or(form).or(send).first().waitFor(SOON)
    // A further press would answer the question.
    if (await ended.first().isVisible()) return
    if (await form.isVisible()) {
      await cashier.withdraw.fill(run.amount, TRON_ADDRESS)
      await cashier.withdraw.review()
      await ended.or(send).first().waitFor(SOON)
    }
    const until = ended.first().waitFor(SOON)
    until.catch(() => undefined)
    if (await send.isVisible()) await pressEach(page, send, { ...run, until })
    await until
  }).toPass({ timeout: 90_000 })
}

async function openReview(cashier: Cashier, { amount }: Run): Promise<void> {
  const { root } = cashier
  const review = root.getByTestId('withdraw-review')
  await expect(async () => {
    if (await cashier.withdraw.outcome().isVisible()) await root.getByRole('button', { name: 'Done' }).click(SOON)
    if (await review.isVisible()) await root.getByRole('button', { name: 'Back' }).click(SOON)
    await root.getByRole('button', { name: 'Review' }).waitFor(SOON)
    await cashier.withdraw.fill(amount, TRON_ADDRESS)
    await cashier.withdraw.review()
    await review.getByRole('button', { name: `Send ${amount} USDT`, exact: true }).waitFor(SOON)
  }).toPass({ timeout: 60_000 })
}

async function makeRun(page: Page, cashier: Cashier, run: Run): Promise<void> {
  page.setDefaultTimeout(10_000)
  await openReview(cashier, run)
  const send = cashier.root.getByRole('button', { name: /^Send / })
  if (run.interruption === 'lost-response') await loseNextAnswer(page)
  const other = run.interruption === 'second-tab' ? await page.context().newPage() : null
  if (other !== null) {
    const form = new URL(page.url())
    form.searchParams.delete('withdrawal')
    await other.goto(form.href)
    await openReview(new Cashier(other), run)
    await page.bringToFront()
  }
  await slowDown(page, run.slow)
  const shown = cashier.withdraw.outcome().or(cashier.withdraw.alert()).first().waitFor()
  shown.catch(() => undefined)
  let pressed = (): void => undefined
  const firstPress = new Promise<void>((resolve) => {
    pressed = resolve
  })
  const interrupted = firstPress.then(async () => {
    if (!(await interrupt(page, cashier, run))) await shown.catch(() => undefined)
  })
  await Promise.all([
    pressEach(page, send, { ...run, until: Promise.race([shown, interrupted]), onFirst: pressed }),
    interrupted,
    ...(other === null ? [] : [finish(other, new Cashier(other), { ...run, press: 'click' })]),
  ])
  await finish(page, cashier, run)
  await other?.close()
  await slowDown(page, { cpu: 1, latencyMs: 0 })
}

/** How many withdrawals of each amount the gateway has. */
async function paidOut(stack: Stack, user: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const { withdrawals } = (await stack.sandbox.control.call(
    'GET',
    `/withdrawals?user_reference=${user}&limit=1000`,
  )) as {
    withdrawals: { amount: string }[]
  }
  for (const { amount } of withdrawals) counts.set(amount, (counts.get(amount) ?? 0) + 1)
  return counts
}

for (let share = 1; share <= SHARES; share += 1)
  test(`one review makes one withdrawal in each of many runs (${share} of ${SHARES})`, async ({
    page,
    stack,
    user,
    context,
    consoleFaults,
    openOnTop,
    openWithdrawForm,
  }) => {
    const runs = runsOf(share)
    test.setTimeout(120_000 + runs.length * 20_000)
    const cashier = await openWithdrawForm('1000000')
    await expect(cashier.balance).toContainText('1,000,000')
    const keys = keysSent(context)
    // Two tabs of one session need the top level: in a merchant's page each tab has its own session.
    const ownTab = await context.newPage()
    await openOnTop({}, ownTab)
    const inOwnTab = new Cashier(ownTab)
    await inOwnTab.pick('USDT', 'Tron')
    await inOwnTab.goTo('Withdraw')
    for (const run of runs) {
      await test.step(JSON.stringify(run), async () => {
        const [of, where] =
          run.interruption === 'second-tab' ? ([ownTab, inOwnTab] as const) : ([page, cashier] as const)
        await of.bringToFront()
        await makeRun(of, where, run)
        expect([...(keys.get(run.amount) ?? [])], JSON.stringify(run)).toHaveLength(1)
      })
    }
    const paid = await paidOut(stack, user)
    expect([...paid].sort()).toEqual(runs.map(({ amount }) => [amount, 1]).sort())
    const left = runs.reduce((rest, { amount }) => rest - BigInt(amount), 1_000_000n)
    await expect(cashier.balance).toContainText(left.toLocaleString('en-GB'))
    test.info().annotations.push({ type: 'runs', description: `${runs.length} runs, ${paid.size} withdrawals` })
    console.log(`${runs.length} runs, ${[...paid.values()].reduce((sum, count) => sum + count, 0)} withdrawals`)
    // Ignores requests that a reload or the test aborted.
    consoleFaults.length = 0
  })
