/** A merchant's page for a test, with any markup and policy and the real `/embed.js`. */
import { expect, type FrameLocator, type Page } from 'playwright/test'
import type { Stack } from '../fixtures/stack.ts'
import type { CashierEvent, CashierOptions, MountedCashier } from '../../public/embed.d.ts'

interface NamedEvent {
  readonly name: string
  readonly event: CashierEvent
}

declare global {
  interface Window {
    cashierEvents: NamedEvent[]
    mounts: Record<string, MountedCashier>
    token: (name: string) => Promise<string>
  }
}

export interface HostPageOptions {
  readonly page: Page
  /** Serves the page and returns its URL. */
  readonly publish: (html: string, headers: Readonly<Record<string, string>>) => Promise<string>
  readonly cashierUrl: string
  /** The result of `fetchLaunchToken` for the mount with this name. */
  readonly token: (name: string) => Promise<string>
  /** Ids of the mount targets on the page. */
  readonly targets?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Added to <head>, after the script. */
  readonly head?: string
  /** Below the targets. */
  readonly below?: string
}

/** On the demo merchant's origin, which may embed the cashier. */
export const onMerchant =
  (merchantUrl: string): HostPageOptions['publish'] =>
  async (html, headers) => {
    const body = JSON.stringify({ html, headers })
    await fetch(`${merchantUrl}/qa/page`, { method: 'POST', body })
    return `${merchantUrl}/qa/page`
  }

/** The source of launch tokens for each page. A page may be opened more than once. */
const tokens = new WeakMap<Page, HostPageOptions['token']>()

async function exposeToken(page: Page, token: HostPageOptions['token']): Promise<void> {
  const isFirst = !tokens.has(page)
  tokens.set(page, token)
  if (!isFirst) return
  await page.exposeFunction('token', (name: string) => tokens.get(page)?.(name))
  await page.addInitScript(() => {
    window.cashierEvents = []
    window.mounts = {}
  })
}

export class HostPage {
  readonly page: Page

  private constructor(page: Page) {
    this.page = page
  }

  static async open(options: HostPageOptions): Promise<HostPage> {
    const { page, publish, cashierUrl, token, targets = ['cashier'], headers = {}, head = '', below = '' } = options
    await exposeToken(page, token)
    const body = `<!doctype html><html lang="en"><head><title>Host</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<script src="${cashierUrl}/embed.js"></script>${head}</head>
<body>${targets.map((id) => `<div id="${id}"></div>`).join('')}${below}</body></html>`
    await page.goto(await publish(body, headers))
    return new HostPage(page)
  }

  /** Opens the page on the demo merchant's origin, with the cashier of this stack. */
  static onMerchant(
    page: Page,
    { merchant, cashier }: Stack,
    options: Omit<HostPageOptions, 'page' | 'publish' | 'cashierUrl'>,
  ): Promise<HostPage> {
    return HostPage.open({ ...options, page, publish: onMerchant(merchant.url), cashierUrl: cashier.url })
  }

  /** Calls `Cashier.mount` for the target with this id, under this name. */
  async mount(
    name: string,
    appearance: Pick<CashierOptions, 'locale' | 'theme'> = {},
    target = `#${name}`,
  ): Promise<void> {
    await this.page.evaluate(
      ([name, appearance, target]) => {
        window.mounts[name] = Cashier.mount(target, {
          ...appearance,
          fetchLaunchToken: () => window.token(name),
          onEvent: (event) => window.cashierEvents.push({ name, event }),
        })
      },
      [name, appearance, target] as const,
    )
  }

  async update(name: string, appearance: Pick<CashierOptions, 'locale' | 'theme'>): Promise<void> {
    await this.page.evaluate(([name, appearance]) => window.mounts[name]?.update(appearance), [
      name,
      appearance,
    ] as const)
  }

  async destroy(name: string): Promise<void> {
    await this.page.evaluate((name) => window.mounts[name]?.destroy(), name)
  }

  /** The events of this mount, without `resize`. */
  async events(name: string): Promise<CashierEvent[]> {
    const all = await this.page.evaluate(() => window.cashierEvents)
    return all.filter((one) => one.name === name && one.event.type !== 'resize').map(({ event }) => event)
  }

  async types(name: string): Promise<string[]> {
    return (await this.events(name)).map(({ type }) => type)
  }

  /** The heights that this mount has reported, oldest first. */
  async heights(name: string): Promise<number[]> {
    const all = await this.page.evaluate(() => window.cashierEvents)
    return all.flatMap((one) => (one.name === name && one.event.type === 'resize' ? one.event.height : []))
  }

  /** The errors' codes of this mount. */
  async errors(name: string): Promise<string[]> {
    return (await this.events(name)).flatMap((event) => (event.type === 'error' ? [event.code] : []))
  }

  /**
   * Waits until this mount is ready, and expects no other events except transactions of the user. On a busy machine the
   * first page of a process may be slow, so an earlier `not_ready` is ignored.
   */
  async ready(name: string): Promise<void> {
    await this.page.waitForFunction(
      (name) => window.cashierEvents.some((one) => one.name === name && one.event.type === 'ready'),
      name,
      { polling: 20 },
    )
    await this.page.evaluate(() => {
      window.cashierEvents = window.cashierEvents.filter(
        ({ event }) => !('code' in event && event.code === 'not_ready'),
      )
    })
    expect((await this.types(name)).filter((type) => type !== 'transaction')).toEqual(['ready'])
  }

  cashier(name: string): FrameLocator {
    return this.page.frameLocator(`#${name} iframe`)
  }
}

/** A page of the demo shop's origin with the cashier in it, mounted and ready. */
export async function openEmbedded(page: Page, stack: Stack, token: () => Promise<string>): Promise<HostPage> {
  const host = await HostPage.onMerchant(page, stack, { token })
  await host.mount('cashier')
  await host.ready('cashier')
  return host
}
