/** The shop's page in an engine, and the cashier's pages that it opens. */
import { CashierPage } from '../../packages/testing/src/cashier.ts'
import type { CashierEvent, CashierOptions } from '../../public/embed.d.ts'
import type { Engine, EngineLocator, EnginePage, EngineRoot } from './engine.ts'
import { engineExpect as expect } from './engine-expect.ts'

export type Mount = 'left' | 'right'
type Appearance = Pick<CashierOptions, 'locale' | 'theme'>

declare global {
  interface Window {
    /** Mounts a cashier in the shop's page. */
    openCashier: (name: Mount, appearance: Appearance) => void
  }
}

/** The published page object, in any engine. */
export type EngineCashier = CashierPage<EngineRoot, EngineLocator, EngineRoot>

const cashierIn = (root: EngineRoot): EngineCashier => new CashierPage(root)

export class ShopView {
  readonly #engine: Engine
  readonly page: EnginePage

  private constructor(engine: Engine, page: EnginePage) {
    this.#engine = engine
    this.page = page
  }

  static async open(engine: Engine, url: string): Promise<ShopView> {
    return new ShopView(engine, await engine.open(url))
  }

  async mount(name: Mount, appearance: Appearance = {}): Promise<EngineCashier> {
    await this.page.bringToFront()
    await this.page.evaluate(
      ([name, appearance]) => {
        window.openCashier(name, appearance)
      },
      [name, appearance] as const,
    )
    return cashierIn(this.page.frameLocator(`#${name} iframe`))
  }

  /** Mounts, and waits until the cashier is ready. */
  async launch(name: Mount = 'left', appearance: Appearance = {}): Promise<EngineCashier> {
    const cashier = await this.mount(name, appearance)
    await expect.poll(() => this.types(name)).toEqual(['ready'])
    return cashier
  }

  async update(name: Mount, appearance: Appearance): Promise<void> {
    await this.page.evaluate(
      ([name, appearance]) => {
        window.mounts[name]?.update(appearance)
      },
      [name, appearance] as const,
    )
  }

  async destroy(name: Mount): Promise<void> {
    await this.page.evaluate((name) => {
      window.mounts[name]?.destroy()
    }, name)
  }

  /** The types of the events of this mount, without `resize` and the events that only a busy machine causes. */
  async types(name: Mount): Promise<readonly CashierEvent['type'][]> {
    const all = await this.page.evaluate(() => window.cashierEvents, null)
    return all
      .filter((one) => one.name === name)
      .map(({ event }) => event)
      .filter((event) => event.type !== 'resize' && !('code' in event && event.code === 'not_ready'))
      .map(({ type }) => type)
  }

  /** Waits for the page that the cashier opens. */
  async newTab(): Promise<EngineCashier> {
    return cashierIn(await this.#engine.openedPage())
  }

  /** Mounts in a browser that refuses the frame's cookie, and continues in the tab that the cashier offers. */
  async launchInTab(name: Mount = 'left', appearance: Appearance = {}): Promise<EngineCashier> {
    const refused = await this.mount(name, appearance)
    await openTab(refused)
    return this.newTab()
  }
}

/** Expects the text that the cashier shows if the browser refuses its cookie. */
export const cookiesBlocked = (cashier: EngineCashier): EngineLocator =>
  cashier.root.locator('[data-testid="cookies-blocked"]')

export const openTab = (refused: EngineCashier): Promise<void> =>
  cookiesBlocked(refused).getByRole('link', { name: 'Open in a new tab', exact: true }).click()
