/** What a person sees and does in one frame of a page, found by its kind and the name that the engine computes. */
import { expect } from 'playwright/test'
import { z } from 'zod'
import { type CommandName, type Parameters, type WebDriverSession, WebDriverError } from './webdriver.ts'

/** A page that is being drawn has these; the command is repeated then. */
const PASSING = new Set([
  'no such element',
  'stale element reference',
  'no such frame',
  'no such window',
  'detached shadow root',
  'element not interactable',
  'element click intercepted',
  'javascript error',
  'move target out of bounds',
])

/** Which elements may have a role; the engine decides by the name. */
const CANDIDATES = {
  button: 'button',
  link: 'a[href]',
  textbox: 'input, textarea',
  select: 'select',
  option: '[role="option"]',
} as const

/** Of a script without a result. */
export const NOTHING = z.null().or(z.undefined())

const references = z.array(z.record(z.string(), z.string()))
/** The key of an element's reference, fixed by the WebDriver standard. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Frames scroll one after the other, and may grow meanwhile. */
const AIM = `const element = arguments[0]
element.addEventListener('click', () => element.setAttribute('data-pressed', ''), { once: true, capture: true })
element.scrollIntoView({ block: 'nearest' })
return new Promise((resolve) => setTimeout(() => resolve(null), 100))`
/** Where the press has led to another page, there is no such element any more. */
const MISSED = `return arguments[0].isConnected && !arguments[0].hasAttribute('data-pressed')`

export class View {
  readonly #session: WebDriverSession
  readonly #handle: string
  readonly #frames: readonly string[]

  /**
   * @param handle of the tab
   * @param frames CSS selectors of the frames around it, the outermost first
   */
  constructor(session: WebDriverSession, handle: string, frames: readonly string[] = []) {
    this.#session = session
    this.#handle = handle
    this.#frames = frames
  }

  /** The page in a frame of this one. */
  frame(selector: string): View {
    return new View(this.#session, this.#handle, [...this.#frames, selector])
  }

  /** A press that misses, because the page moved under it, is repeated. */
  async press(role: 'button' | 'link' | 'option', name: string | RegExp): Promise<void> {
    await this.#act(async () => {
      const id = await this.#find(role, name)
      const element = { [ELEMENT]: id }
      await this.#run(AIM, element)
      await this.#send('WebDriver:ElementClick', { id })
      if (await this.#run(MISSED, element).catch(() => false))
        throw new WebDriverError('press', 'element click intercepted', String(name))
    })
  }

  async fill(name: string, text: string): Promise<void> {
    await this.#act(async () => {
      const id = await this.#find('textbox', name)
      await this.#send('WebDriver:ElementClear', { id })
      await this.#send('WebDriver:ElementSendKeys', { id, text })
    })
  }

  /** Keys without a clearing before. */
  async type(name: string, text: string): Promise<void> {
    await this.#act(async () =>
      this.#send('WebDriver:ElementSendKeys', { id: await this.#find('textbox', name), text }),
    )
  }

  async select(name: string, option: string): Promise<void> {
    await this.#act(async () => {
      await this.#find('select', name)
      const index = await this.#run(
        'return [...document.querySelectorAll("option")].findIndex((one) => one.label === arguments[0])',
        option,
      )
      const id = (await this.#elements('option'))[Number(index)]
      if (id === undefined) throw new WebDriverError('select', 'no such element', option)
      await this.#send('WebDriver:ElementClick', { id })
    })
  }

  /** The visible text of the first element that a selector finds; null while there is none. */
  text(selector: string): Promise<string | null> {
    return this.evaluate(
      'return document.querySelector(arguments[0])?.innerText ?? null',
      z.string().nullable(),
      selector,
    )
  }

  attribute(selector: string, name: string): Promise<string | null> {
    const script = 'return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? null'
    return this.evaluate(script, z.string().nullable(), selector, name)
  }

  count(selector: string): Promise<number> {
    return this.evaluate('return document.querySelectorAll(arguments[0]).length', z.number(), selector)
  }

  /** Waits until the first element that `selector` finds has this text. */
  async shows(selector: string, text: string | RegExp): Promise<void> {
    const shown = expect.poll(() => this.text(selector), { message: selector, timeout: 30_000 })
    await (typeof text === 'string' ? shown.toContain(text) : shown.toMatch(text))
  }

  /** The result of a script in this frame. */
  async evaluate<T>(script: string, schema: z.ZodType<T>, ...args: readonly unknown[]): Promise<T> {
    return this.#act(async () => schema.parse(await this.#run(script, ...args)))
  }

  async #enter(): Promise<void> {
    await this.#send('WebDriver:SwitchToWindow', { handle: this.#handle })
    await this.#send('WebDriver:SwitchToFrame', { id: null })
    for (const selector of this.#frames) {
      const [id] = await this.#elements(selector)
      if (id === undefined) throw new WebDriverError('frame', 'no such element', selector)
      // The first is WebDriver's, the second Marionette's.
      await this.#send('WebDriver:SwitchToFrame', { id: { [ELEMENT]: id }, element: id })
    }
  }

  /** Repeats an act until it succeeds, from the outermost page on: a frame may have been replaced. */
  async #act<T>(act: () => Promise<T>): Promise<T> {
    const results: T[] = []
    const fatal: unknown[] = []
    await expect(async () => {
      try {
        await this.#enter()
        results.push(await act())
      } catch (error) {
        if (error instanceof WebDriverError && PASSING.has(error.code)) throw error
        fatal.push(error)
      }
    }).toPass({ timeout: 30_000, intervals: [50, 100, 200, 300] })
    if (fatal.length > 0) throw fatal[0]
    return results[0] as T
  }

  async #find(role: keyof typeof CANDIDATES, name: string | RegExp): Promise<string> {
    for (const id of await this.#elements(CANDIDATES[role])) {
      const label = await this.#label(id)
      if (typeof name === 'string' ? label === name : name.test(label)) return id
    }
    throw new WebDriverError('find', 'no such element', `${role} ${String(name)}`)
  }

  async #label(id: string): Promise<string> {
    try {
      return z
        .string()
        .parse(await this.#send('WebDriver:GetComputedLabel', { id }))
        .trim()
    } catch (error) {
      // WebKit's answer for an element that assistive technology cannot reach, as behind a dialog.
      if (error instanceof WebDriverError && error.code === 'unknown error') return ''
      throw error
    }
  }

  async #elements(selector: string): Promise<readonly string[]> {
    const found = await this.#send('WebDriver:FindElements', { using: 'css selector', value: selector })
    return references.parse(found).map((reference) => reference[ELEMENT] ?? '')
  }

  #run(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#send('WebDriver:ExecuteScript', { script, args })
  }

  #send(name: CommandName, parameters: Parameters = {}): Promise<unknown> {
    return this.#session.send(name, parameters)
  }
}
