/** A merchant's page made for a test: any markup and policy, with the real `/embed.js` in it. */
import { expect, type FrameLocator, type Page } from 'playwright/test'
import type { CashierEvent, CashierOptions, MountedCashier } from '../../public/embed.d.ts'

interface Named {
  readonly name: string
  readonly event: CashierEvent
}

declare global {
  interface Window {
    cashierEvents: Named[]
    mounts: Record<string, MountedCashier>
    token: (name: string) => Promise<string>
  }
}

export interface HostPageWish {
  readonly page: Page
  /** Puts the page somewhere and gives its address. */
  readonly publish: (html: string, headers: Readonly<Record<string, string>>) => Promise<string>
  readonly cashierUrl: string
  /** What `fetchLaunchToken` of the mount of this name gives. */
  readonly token: (name: string) => Promise<string>
  /** Beside a place for each of these ids. */
  readonly places?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Goes into <head>, after the script. */
  readonly head?: string
}

/** On the demo merchant's origin, which may hold the cashier. */
export const onMerchant =
  (merchantUrl: string): HostPageWish['publish'] =>
  async (html, headers) => {
    const body = JSON.stringify({ html, headers })
    await fetch(`${merchantUrl}/qa/page`, { method: 'POST', body })
    return `${merchantUrl}/qa/page`
  }

export class HostPage {
  readonly page: Page

  private constructor(page: Page) {
    this.page = page
  }

  static async open(wish: HostPageWish): Promise<HostPage> {
    const { page, publish, cashierUrl, token, places = ['cashier'], headers = {}, head = '' } = wish
    await page.exposeFunction('token', token)
    await page.addInitScript(() => {
      window.cashierEvents = []
      window.mounts = {}
    })
    const body = `<!doctype html><html lang="en"><head><title>Host</title>
<script src="${cashierUrl}/embed.js"></script>${head}</head>
<body>${places.map((id) => `<div id="${id}"></div>`).join('')}</body></html>`
    await page.goto(await publish(body, headers))
    return new HostPage(page)
  }

  /** `Cashier.mount` into the place of this id, under this name. */
  async mount(name: string, looks: Pick<CashierOptions, 'locale' | 'theme'> = {}, target = `#${name}`): Promise<void> {
    await this.page.evaluate(
      ([name, looks, target]) => {
        window.mounts[name] = Cashier.mount(target, {
          ...looks,
          fetchLaunchToken: () => window.token(name),
          onEvent: (event) => window.cashierEvents.push({ name, event }),
        })
      },
      [name, looks, target] as const,
    )
  }

  async update(name: string, looks: Pick<CashierOptions, 'locale' | 'theme'>): Promise<void> {
    await this.page.evaluate(([name, looks]) => window.mounts[name]?.update(looks), [name, looks] as const)
  }

  async destroy(name: string): Promise<void> {
    await this.page.evaluate((name) => window.mounts[name]?.destroy(), name)
  }

  /** What `onEvent` of this mount was told, without `resize`. */
  async events(name: string): Promise<CashierEvent[]> {
    const all = await this.page.evaluate(() => window.cashierEvents)
    return all.filter((one) => one.name === name && one.event.type !== 'resize').map(({ event }) => event)
  }

  async types(name: string): Promise<string[]> {
    return (await this.events(name)).map(({ type }) => type)
  }

  /** The errors' codes of this mount. */
  async errors(name: string): Promise<string[]> {
    return (await this.events(name)).flatMap((event) => (event.type === 'error' ? [event.code] : []))
  }

  /**
   * Waits until this mount is ready and has told nothing else. The very first page of a process may take its time on
   * a busy machine, so that a `not_ready` before it counts for nothing.
   */
  async ready(name: string): Promise<void> {
    await expect.poll(() => this.types(name), { timeout: 30_000 }).toContain('ready')
    await this.page.evaluate(() => {
      window.cashierEvents = window.cashierEvents.filter(
        ({ event }) => !('code' in event && event.code === 'not_ready'),
      )
    })
    expect(await this.types(name)).toEqual(['ready'])
  }

  cashier(name: string): FrameLocator {
    return this.page.frameLocator(`#${name} iframe`)
  }
}
