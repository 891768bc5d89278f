/** WebDriver commands to the frame that the session has entered last. */
import { z } from 'zod'
import { type CommandName, type Parameters, type WebDriverSession, WebDriverError } from './webdriver.ts'

/** The key of an element reference in the WebDriver standard. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** An element in that frame, valid while the element stays there. */
export type Reference = Readonly<Record<typeof ELEMENT, string>>

const references = z.array(z.object({ [ELEMENT]: z.string() }))

export class FrameCommands {
  readonly #session: WebDriverSession
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: WebDriverSession) {
    this.#session = session
  }

  /** Runs after all earlier calls, because a session is in one frame at a time. */
  alone<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Runs the body of a function and returns its result; a promise is awaited. */
  run(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#session.send('WebDriver:ExecuteScript', { script, args })
  }

  /** Runs the body of a function that returns elements. */
  async elements(script: string, ...args: readonly unknown[]): Promise<readonly Reference[]> {
    return references.parse(await this.#runWhole(script, args))
  }

  /** Runs the body of a function that returns a text. */
  async text(script: string, ...args: readonly unknown[]): Promise<string> {
    return z.string().parse(await this.#runWhole(script, args))
  }

  /** @throws WebDriverError for null, which Firefox answers if the document was replaced while the body ran */
  async #runWhole(script: string, args: readonly unknown[]): Promise<unknown> {
    const result = await this.run(script, ...args)
    if (result === null) throw new WebDriverError('ExecuteScript', 'stale element reference', 'the page was replaced')
    return result
  }

  toElement(name: CommandName, element: Reference, parameters: Parameters = {}): Promise<unknown> {
    return this.#session.send(name, { id: element[ELEMENT], ...parameters })
  }

  /** The name by which assistive technology announces it. */
  async label(element: Reference): Promise<string> {
    try {
      return z.string().parse(await this.toElement('WebDriver:GetComputedLabel', element))
    } catch (error) {
      // WebKit answers this for an element that assistive technology cannot reach, such as behind a dialog.
      if (error instanceof WebDriverError && error.code === 'unknown error') return ''
      throw error
    }
  }

  async enterTab(handle: string): Promise<void> {
    await this.#session.send('WebDriver:SwitchToWindow', { handle })
    await this.#session.send('WebDriver:SwitchToFrame', { id: null })
  }

  async enterFrame(frame: Reference): Promise<void> {
    // WebDriver has the first form, Marionette the second.
    await this.#session.send('WebDriver:SwitchToFrame', { id: frame, element: frame[ELEMENT] })
  }
}
