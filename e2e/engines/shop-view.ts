/** The shop's page in an engine, and the tabs that are opened from it. */
import { expect } from 'playwright/test'
import { z } from 'zod'
import { CashierView } from './cashier-view.ts'
import { NOTHING, View } from './view.ts'
import type { WebDriverSession } from './webdriver.ts'

type Mount = 'left' | 'right'

interface Appearance {
  readonly locale?: string
  readonly theme?: 'light' | 'dark' | 'auto'
}

/** High enough that no page scrolls: WebKit's driver misses in a frame of a page that is scrolled. */
const WINDOW = { width: 1000, height: 2200 }

const handles = z.array(z.string())

export class ShopView {
  readonly #session: WebDriverSession
  /** The tabs that were seen. */
  readonly #tabs: string[]
  readonly page: View

  private constructor(session: WebDriverSession, handle: string) {
    this.#session = session
    this.#tabs = [handle]
    this.page = new View(session, handle)
  }

  /** Opens the page, and closes tabs that an earlier test left. */
  static async open(session: WebDriverSession, url: string): Promise<ShopView> {
    const [first = '', ...others] = handles.parse(await session.send('WebDriver:GetWindowHandles'))
    for (const handle of others) {
      await session.send('WebDriver:SwitchToWindow', { handle })
      await session.send('WebDriver:CloseWindow')
    }
    await session.send('WebDriver:SwitchToWindow', { handle: first })
    await session.send('WebDriver:SetWindowRect', WINDOW)
    await session.send('WebDriver:Navigate', { url })
    return new ShopView(session, first)
  }

  async mount(name: Mount, appearance: Appearance = {}): Promise<CashierView> {
    await this.page.evaluate('open(arguments[0], arguments[1])', NOTHING, name, appearance)
    return new CashierView(this.page.frame(`#${name} iframe`))
  }

  /** Mounts, and waits until the cashier is ready. */
  async launch(name: Mount = 'left', appearance: Appearance = {}): Promise<CashierView> {
    const cashier = await this.mount(name, appearance)
    await expect.poll(() => this.types(name), { timeout: 30_000 }).toEqual(['ready'])
    return cashier
  }

  async update(name: Mount, appearance: Appearance): Promise<void> {
    await this.page.evaluate('mounts[arguments[0]].update(arguments[1])', NOTHING, name, appearance)
  }

  async destroy(name: Mount): Promise<void> {
    await this.page.evaluate('mounts[arguments[0]].destroy()', NOTHING, name)
  }

  /** The types of the events of this mount; neither `resize` nor what a busy machine adds. */
  types(name: Mount): Promise<readonly string[]> {
    const script = `return events.filter((one) => one.name === arguments[0]).map((one) => one.event)
      .filter((event) => event.type !== 'resize' && event.code !== 'not_ready').map((event) => event.type)`
    return this.page.evaluate(script, z.array(z.string()), name)
  }

  /** The tab that was opened last, once it is there. */
  async newTab(): Promise<CashierView> {
    const others = async (): Promise<readonly string[]> =>
      handles.parse(await this.#session.send('WebDriver:GetWindowHandles')).filter((one) => !this.#tabs.includes(one))
    await expect.poll(async () => (await others()).length, { timeout: 30_000 }).toBe(1)
    const [handle = ''] = await others()
    this.#tabs.push(handle)
    await this.#session.send('WebDriver:SwitchToWindow', { handle })
    await this.#session.send('WebDriver:SetWindowRect', WINDOW)
    return new CashierView(new View(this.#session, handle))
  }

  /** Mounts where the browser refuses the frame's cookie, and goes on in the tab that the cashier offers. */
  async launchInTab(name: Mount = 'left', appearance: Appearance = {}): Promise<CashierView> {
    const refused = await this.mount(name, appearance)
    await refused.view.shows(refused.cookiesBlocked, /\w/)
    await refused.view.press('link', 'Open in a new tab')
    return this.newTab()
  }
}
