/**
 * Random walks through the cashier in a merchant's page: press, type, scroll, hide, resize, translate, go offline, lose
 * the server, change language and theme, receive money. Every walk ends with a page that shows the balance and the
 * address of the chosen currency. No error is thrown, and nothing scrolls without the person. `npm run walk -- --seed 1
 * --times 500`.
 */
import type { BrowserContext, ElementHandle, Frame, Page } from 'playwright/test'
import { Chance } from '../../simulation/random.ts'
import { SLOW } from '../fixtures/line.ts'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { translate } from '../fixtures/translator.ts'
import { ScrolledHost } from '../views/scrolled-host.ts'

const SEED = Number(process.env['WALK_SEED'] ?? 1)
const TIMES = Number(process.env['WALK_TIMES'] ?? 12)
const STEPS = 25

test.use({ viewport: { width: 390, height: 700 } })

interface Walk {
  readonly chance: Chance
  readonly page: Page
  readonly context: BrowserContext
  readonly stack: Stack
  readonly user: string
  readonly scrolled: ScrolledHost
}

/** The frame's page, in its current document. */
const frameOf = ({ page }: Walk): Frame | undefined => page.frames().find((frame) => frame.url().includes('/c/'))

const TEXTS = [
  '1',
  '0,5',
  '1e3',
  '-4',
  '9'.repeat(40),
  '0.000000000000000001',
  TRON_ADDRESS,
  `  ${TRON_ADDRESS}\n`,
  `${TRON_ADDRESS}\n12345`,
  'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.1',
  'مرحبا',
  '<b>x</b>',
  '',
]

/** Elements to press, without those that leave the cashier and the link that scrolls to the content. */
const PRESSABLE = [
  'button:not([disabled])',
  'a[href]:not([target], [href^="#"])',
  '[role="option"]',
  'summary',
  '[role="switch"]',
  'input',
  'textarea',
].join()

/** A random element of the frame on the screen, with its centre on the screen. */
async function seen(walk: Walk, selector: string): Promise<{ x: number; y: number; element: ElementHandle } | null> {
  const frame = frameOf(walk)
  const handles = (await frame?.$$(selector).catch(() => [])) ?? []
  const size = walk.page.viewportSize()
  for (let tries = 0; tries < 5 && handles.length > 0; tries += 1) {
    const element = walk.chance.pick(handles)
    const box = await element.boundingBox().catch(() => null)
    if (!box || !size) continue
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    if (x > 0 && y > 0 && x < size.width && y < size.height) return { x, y, element }
  }
  return null
}

const setHidden = async ({ page }: Walk, hidden: boolean): Promise<void> => {
  for (const frame of page.frames())
    await frame
      .evaluate(
        (state) => {
          Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
          document.dispatchEvent(new Event('visibilitychange'))
        },
        hidden ? 'hidden' : 'visible',
      )
      .catch(() => undefined)
}

interface Step {
  readonly weight: number
  /** The person scrolls the merchant's page, or its size changes. */
  readonly scrolls?: true
  readonly take: (walk: Walk) => Promise<unknown>
}

const STEPS_BY_NAME: Readonly<Record<string, Step>> = {
  press: {
    weight: 12,
    take: async (walk) => {
      const target = await seen(walk, PRESSABLE)
      if (target) await walk.page.mouse.click(target.x, target.y)
    },
  },
  goTo: {
    weight: 4,
    take: async (walk) => {
      const target = await seen(walk, '[data-testid^="tab-"]')
      if (target) await walk.page.mouse.click(target.x, target.y)
    },
  },
  type: {
    weight: 5,
    take: async (walk) => {
      const target = await seen(walk, 'input:not([type="checkbox"]):not([type="radio"]), textarea')
      if (!target) return
      await walk.page.mouse.click(target.x, target.y)
      await walk.page.keyboard.press('ControlOrMeta+A')
      await walk.page.keyboard.insertText(walk.chance.pick(TEXTS))
    },
  },
  key: {
    weight: 2,
    // Tab moves to elements off the screen, and an arrow key scrolls.
    scrolls: true,
    take: ({ page, chance }) => page.keyboard.press(chance.pick(['Tab', 'Enter', 'Escape', 'ArrowDown'])),
  },
  money: {
    weight: 2,
    take: ({ stack, user, chance }) =>
      fund(
        stack,
        user,
        `${chance.between(1, 90)}.${chance.between(1, 99)}`,
        ...chance.pick([
          ['USDT', 'Tron'],
          ['BTC', 'Bitcoin'],
        ] as const),
      ),
  },
  offline: { weight: 1, take: ({ context }) => context.setOffline(true) },
  online: { weight: 2, take: ({ context }) => context.setOffline(false) },
  serverAway: { weight: 1, take: ({ stack, chance }) => stack.line.away(chance.pick([100, 1000, 3000])) },
  slow: { weight: 1, take: async ({ stack, chance }) => stack.line.slowDown(chance.pick([SLOW, null])) },
  hide: { weight: 1, take: (walk) => setHidden(walk, true) },
  show: { weight: 2, take: (walk) => setHidden(walk, false) },
  translate: {
    weight: 1,
    take: (walk) => translate(walk.scrolled.cashier).catch(() => undefined),
  },
  language: {
    weight: 1,
    take: ({ scrolled, chance }) =>
      scrolled.host.update('cashier', {
        locale: chance.pick(['en', 'de', 'ar', 'ja', 'fr']),
        theme: chance.pick(['light', 'dark']),
      }),
  },
  resize: {
    weight: 1,
    scrolls: true,
    take: ({ page, chance }) =>
      page.setViewportSize({ width: chance.pick([320, 390, 768]), height: chance.pick([500, 700]) }),
  },
  scroll: { weight: 2, scrolls: true, take: ({ page, chance }) => page.mouse.wheel(0, chance.between(-300, 400)) },
  back: {
    weight: 1,
    scrolls: true,
    // Only to the page's own entries: the entry before its first one belongs to the merchant.
    take: (walk) =>
      frameOf(walk)
        ?.evaluate(() => {
          if (history.state === null) history.back()
        })
        .catch(() => undefined) ?? Promise.resolve(),
  },
  wait: { weight: 2, take: ({ page, chance }) => page.waitForTimeout(chance.between(0, 700)) },
}
const BAG = Object.entries(STEPS_BY_NAME).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))

/** A press may scroll its result into view: the next rows, or a refused field. */
const mayScroll = async (walk: Walk): Promise<boolean> =>
  (await frameOf(walk)
    ?.evaluate(
      () =>
        document.activeElement?.matches('input, textarea, select, [data-testid="older"], [data-testid="newer"]') ??
        false,
    )
    .catch(() => true)) ?? true

async function comeToRest(walk: Walk): Promise<void> {
  await walk.stack.line.comeBack()
  walk.stack.line.slowDown(null)
  await walk.context.setOffline(false)
  await setHidden(walk, false)
  // A press beside the frame restarts a dead frame.
  await walk.page.mouse.click(5, 5)
}

/** The server's data about the currency that the page shows as chosen. */
const truthOf = (frame: Frame) =>
  frame.evaluate(async () => {
    const session = location.pathname.split('/')[2] ?? ''
    const headers = { 'x-cashier-session': session, 'content-type': 'application/json' }
    const read = async (path: string, body?: object) =>
      (await (
        await fetch(`/api/cashier/${path}`, {
          headers,
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        })
      ).json()) as Record<string, unknown>
    const shown = document.querySelector('[data-testid="currency-button"]')?.textContent ?? ''
    const currencies = (await read('currencies'))['currencies'] as readonly {
      readonly id: string
      readonly currency_code: string
      readonly network: string
    }[]
    const id = new URLSearchParams(location.search).get('currency')
    const chosen =
      currencies.find((one) => one.id === id) ??
      currencies.find((one) => shown.includes(one.currency_code) && shown.includes(one.network))
    const { address } = (await read('deposit-addresses', { currency_id: chosen?.id })) as { address?: string }
    const balances = (await read('balances'))['balances'] as readonly {
      readonly currency_id: string
      readonly available: string
    }[]
    return {
      named: chosen !== undefined && shown.includes(chosen.currency_code) && shown.includes(chosen.network),
      address,
      available: balances.find((one) => one.currency_id === chosen?.id)?.available ?? '0',
    }
  })

for (let at = 0; at < TIMES; at += 1) {
  const seed = SEED + at
  test(`walk ${seed}`, async ({ page, context, stack, user, createSession, consoleFaults }) => {
    const scrolled = await ScrolledHost.open(page, stack, async () => (await createSession()).launch_token)
    const walk: Walk = { chance: new Chance(`walk ${seed}`), page, context, stack, user, scrolled }
    const taken: string[] = []
    for (let step = 0; step < STEPS; step += 1) {
      const name = walk.chance.pick(BAG)
      const before = await scrolled.scroll()
      taken.push(name)
      await STEPS_BY_NAME[name]?.take(walk)
      await page.waitForTimeout(walk.chance.between(0, 250))
      // A scroll takes several animation frames.
      if (STEPS_BY_NAME[name]?.scrolls) await page.waitForTimeout(400)
      const moved = (await scrolled.scroll()) - before
      if (moved !== 0 && !STEPS_BY_NAME[name]?.scrolls && !(await mayScroll(walk)))
        throw new Error(`scrolled by ${moved} after ${taken.join(', ')}`)
    }
    await comeToRest(walk)
    await expect(async () => {
      const frame = frameOf(walk)
      if (!frame) throw new Error('no page of a session in the frame')
      const dialog = scrolled.cashier.locator('[data-dialog]')
      if ((await dialog.count()) > 0) await dialog.press('Escape', { timeout: 3_000 })
      // A new session may have started, and the page may show any flow.
      await scrolled.cashier.getByTestId('tab-deposit').click({ timeout: 3_000 })
      const { named, address, available } = await truthOf(frame)
      expect(named).toBe(true)
      const text = (await scrolled.cashier.getByTestId('address').innerText({ timeout: 3_000 })).replace(/\s/g, '')
      expect(text).toBe(address)
      const shown = await scrolled.cashier.getByTestId('balance').innerText({ timeout: 3_000 })
      expect(digits(shown)).toContain(digits(available))
    }, taken.join(', ')).toPass()
    forgetFailedRequests(consoleFaults)
    expect(consoleFaults, taken.join(', ')).toEqual([])
  })
}

/** Accepts Arabic digits and any separators. */
const digits = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit))).replace(/\D/g, '')

/** The browser logs each failed request, and messages to the error page that it shows in place of a missing page. */
const EXPECTED = ['Failed to load resource', 'net::ERR_', "does not match the recipient window's origin ('null')"]

const forgetFailedRequests = (faults: string[]): unknown =>
  faults.splice(0, faults.length, ...faults.filter((fault) => !EXPECTED.some((part) => fault.includes(part))))
