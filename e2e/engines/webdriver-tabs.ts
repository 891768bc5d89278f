/** The tabs of a WebDriver session. */
import { z } from 'zod'
import { type EnginePage, WINDOW } from './engine.ts'
import { untilDone } from './eventually.ts'
import { FrameCommands } from './frame-commands.ts'
import { WebDriverFrame } from './webdriver-frame.ts'
import { WebDriverPage } from './webdriver-locator.ts'
import type { WebDriverSession } from './webdriver.ts'

const handles = z.array(z.string())

export class WebDriverTabs {
  readonly #session: WebDriverSession
  readonly #page: FrameCommands
  /** The tabs that were already returned. */
  #given: readonly string[] = []

  constructor(session: WebDriverSession) {
    this.#session = session
    this.#page = new FrameCommands(session)
  }

  /** Opens this address in the first tab; others are closed. */
  async open(url: string): Promise<EnginePage> {
    return this.#page.alone(async () => {
      const [first = '', ...others] = await this.#handles()
      for (const handle of others) {
        await this.#session.send('WebDriver:SwitchToWindow', { handle })
        await this.#session.send('WebDriver:CloseWindow')
      }
      this.#given = []
      const page = await this.#give(first)
      await this.#session.send('WebDriver:Navigate', { url })
      return page
    })
  }

  /** Waits for a tab that was not returned yet. */
  async opened(): Promise<EnginePage> {
    const others = async (): Promise<readonly string[]> =>
      (await this.#handles()).filter((handle) => !this.#given.includes(handle))
    const [handle] = await untilDone(
      () => this.#page.alone(others),
      (found) => found.length > 0,
    )
    if (handle === undefined) throw new Error('no tab was opened')
    return this.#page.alone(() => this.#give(handle))
  }

  async #give(handle: string): Promise<EnginePage> {
    this.#given = [...this.#given, handle]
    await this.#session.send('WebDriver:SwitchToWindow', { handle })
    await this.#session.send('WebDriver:SetWindowRect', WINDOW)
    return new WebDriverPage(new WebDriverFrame(this.#page, handle))
  }

  async #handles(): Promise<readonly string[]> {
    return handles.parse(await this.#session.send('WebDriver:GetWindowHandles'))
  }
}
