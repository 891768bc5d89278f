/** Locators and pages by WebDriver, with the interface of Playwright's. */
import { z } from 'zod'
import type { MinimalRole, MinimalRoleOptions, NameOptions } from '../../packages/testing/src/minimal-locator.ts'
import { areVisible, chooseOption, fillField, pressElement, pressKey } from './element-acts.ts'
import type { EngineLocator, EnginePage, EngineRoot } from './engine.ts'
import { PATIENCE_MS, untilDone } from './eventually.ts'
import { byCss, byLabel, byRole, either, type Finder, firstOf, inside } from './finders.ts'
import type { FrameCommands, Reference } from './frame-commands.ts'
import type { WebDriverFrame } from './webdriver-frame.ts'

const TEXT = 'return arguments[0].innerText'
const ATTRIBUTE = 'return arguments[0].getAttribute(arguments[1])'
const VALUE = 'return arguments[0].value'
const SCROLL = `arguments[0].scrollIntoView({ block: 'nearest' })`

const STATES = {
  attached: (visible: readonly boolean[]): boolean => visible.length === 1,
  visible: (visible: readonly boolean[]): boolean => visible.length === 1 && visible[0] === true,
  hidden: (visible: readonly boolean[]): boolean => !visible.includes(true),
} as const

export class WebDriverLocator implements EngineLocator {
  readonly #frame: WebDriverFrame
  readonly #finder: Finder

  constructor(frame: WebDriverFrame, finder: Finder) {
    this.#frame = frame
    this.#finder = finder
  }

  locator(selector: string): WebDriverLocator {
    return this.#with(inside(this.#finder, byCss(selector)))
  }

  getByRole(role: MinimalRole, options?: MinimalRoleOptions): WebDriverLocator {
    return this.#with(inside(this.#finder, byRole(role, options)))
  }

  first(): WebDriverLocator {
    return this.#with(firstOf(this.#finder))
  }

  or(other: EngineLocator): WebDriverLocator {
    if (!(other instanceof WebDriverLocator)) throw new TypeError('a locator of another driver')
    return this.#with(either(this.#finder, other.#finder))
  }

  click(): Promise<void> {
    return this.#act(pressElement)
  }

  fill(value: string): Promise<void> {
    return this.#act((page, element) => fillField(page, element, value))
  }

  press(key: string): Promise<void> {
    return this.#act((page, element) => pressKey(page, element, key))
  }

  selectOption(option: string): Promise<void> {
    return this.#act((page, element) => chooseOption(page, element, option))
  }

  async scrollIntoViewIfNeeded(): Promise<void> {
    await this.#act((page, element) => page.run(SCROLL, element))
  }

  /** The type of the function's result is not checked, as in Playwright. */
  async evaluate<R>(pageFunction: (element: HTMLElement) => R | Promise<R>): Promise<R> {
    return (await this.#act((page, element) => page.run(calling(pageFunction), element))) as R
  }

  innerText(): Promise<string> {
    return this.#act((page, element) => page.text(TEXT, element))
  }

  inputValue(): Promise<string> {
    return this.#act((page, element) => page.text(VALUE, element))
  }

  async getAttribute(name: string): Promise<string | null> {
    const value = await this.#act((page, element) => page.run(ATTRIBUTE, element, name))
    return z.string().nullable().parse(value)
  }

  count(): Promise<number> {
    return this.#frame.read(this.#finder, (_page, elements) => Promise.resolve(elements.length))
  }

  async isVisible(): Promise<boolean> {
    return STATES.visible(await this.#visible())
  }

  async waitFor({ state = 'visible' }: { readonly state?: keyof typeof STATES } = {}): Promise<void> {
    const isDone = STATES[state]
    const last = await untilDone(() => this.#visible(), isDone)
    if (!isDone(last))
      throw new Error(`${this.#finder.description} was not ${state} within ${PATIENCE_MS} ms: [${last.join()}]`)
  }

  #visible(): Promise<readonly boolean[]> {
    return this.#frame.read(this.#finder, areVisible)
  }

  #act<T>(act: (page: FrameCommands, element: Reference) => Promise<T>): Promise<T> {
    return this.#frame.act(this.#finder, act)
  }

  #with(finder: Finder): WebDriverLocator {
    return new WebDriverLocator(this.#frame, finder)
  }
}

export class WebDriverPage implements EnginePage, EngineRoot {
  readonly #frame: WebDriverFrame

  /** @param frame the page, or a frame in one */
  constructor(frame: WebDriverFrame) {
    this.#frame = frame
  }

  locator(selector: string): EngineLocator {
    return new WebDriverLocator(this.#frame, byCss(selector))
  }

  getByRole(role: MinimalRole, options?: MinimalRoleOptions): EngineLocator {
    return new WebDriverLocator(this.#frame, byRole(role, options))
  }

  getByLabel(text: string, options?: NameOptions): EngineLocator {
    return new WebDriverLocator(this.#frame, byLabel(text, options))
  }

  frameLocator(selector: string): EngineRoot {
    return new WebDriverPage(this.#frame.frame(byCss(selector)))
  }

  async evaluate<A, R>(pageFunction: (argument: A) => R, argument: A): Promise<R> {
    return (await this.#frame.run(calling(pageFunction), argument)) as R
  }

  /** Each command brings its tab to the front. */
  bringToFront(): Promise<void> {
    return Promise.resolve()
  }
}

/** A script that calls a function of ours in the page. The function is sent as text. */
const calling = (pageFunction: (...args: never[]) => unknown): string =>
  `return (${String(pageFunction)})(...arguments)`
