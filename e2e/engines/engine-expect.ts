/** `expect` with Playwright's waiting matchers for the locators of every engine, so that a spec reads like any other. */
import { inspect } from 'node:util'
import { expect as base, type MatcherReturnType } from 'playwright/test'
import type { EngineLocator } from './engine.ts'
import { PATIENCE_MS, untilDone } from './eventually.ts'
import { WebDriverLocator } from './webdriver-locator.ts'

interface WaitingMatchers {
  readonly not: WaitingMatchers
  toContainText(expected: string | RegExp): Promise<void>
  toHaveAttribute(name: string, expected: string): Promise<void>
  toHaveValue(expected: string): Promise<void>
  toHaveCount(expected: number): Promise<void>
}

async function waitFor<T>(
  matcher: string,
  { isNot }: { readonly isNot: boolean },
  expected: unknown,
  read: () => Promise<T>,
  fits: (actual: T) => boolean,
): Promise<MatcherReturnType> {
  const actual = await untilDone(read, (value) => fits(value) !== isNot)
  const message = (): string =>
    `${matcher}: expected ${isNot ? 'not ' : ''}${inspect(expected)}, received ${inspect(actual)}`
  return { name: matcher, pass: fits(actual), expected, actual, message }
}

/** Playwright's own matchers accept only Playwright's locators; these have the same meaning. */
const byWebDriver = base.extend({
  async toContainText(locator: EngineLocator, expected: string | RegExp) {
    const read = (): Promise<string> => locator.innerText()
    const fits = (actual: string): boolean =>
      typeof expected === 'string' ? actual.replace(/\s+/g, ' ').includes(expected) : expected.test(actual)
    return waitFor('toContainText', this, expected, read, fits)
  },

  async toHaveAttribute(locator: EngineLocator, name: string, expected: string) {
    const read = (): Promise<string | null> => locator.getAttribute(name)
    return waitFor('toHaveAttribute', this, `${name}=${expected}`, read, (actual) => actual === expected)
  },

  async toHaveValue(locator: EngineLocator, expected: string) {
    const read = (): Promise<string> => locator.inputValue()
    return waitFor('toHaveValue', this, expected, read, (actual) => actual === expected)
  },

  async toHaveCount(locator: EngineLocator, expected: number) {
    const read = (): Promise<number> => locator.count()
    return waitFor('toHaveCount', this, expected, read, (actual) => actual === expected)
  },
})

const patient = base.configure({ timeout: PATIENCE_MS })

interface EngineExpect extends Pick<typeof base, 'poll'> {
  (locator: EngineLocator): WaitingMatchers
  <T>(actual: T): ReturnType<typeof base<T>>
}

export const engineExpect = Object.assign(
  (actual: unknown) => (actual instanceof WebDriverLocator ? byWebDriver(actual) : patient(actual)),
  { poll: patient.poll },
) as EngineExpect
