/** Repeats reads and acts while a page is still being rendered. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebDriverError } from './webdriver.ts'

/** Much more than a busy machine needs. */
export const PATIENCE_MS = 60_000
const PAUSES_MS = [20, 50, 100, 200]

/** WebDriver errors while a page is being rendered; the command is repeated. */
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

/** Calls `read` until its result is accepted or the time is over. Returns the last result. */
export async function untilDone<T>(read: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (let attempt = 0; ; attempt += 1) {
    const result = await read()
    if (isDone(result) || Date.now() > deadline) return result
    await sleep(PAUSES_MS[attempt] ?? 300)
  }
}

/**
 * Repeats an act that fails because the page changes. @throws the error of the last attempt; any other kind of error at
 * once
 */
export async function eventually<T>(act: () => Promise<T>): Promise<T> {
  const attempt = async (): Promise<{ readonly value: T } | WebDriverError> => {
    try {
      return { value: await act() }
    } catch (error) {
      if (error instanceof WebDriverError && PASSING.has(error.code)) return error
      throw error
    }
  }
  const last = await untilDone(attempt, (result) => !(result instanceof WebDriverError))
  if (last instanceof WebDriverError) throw last
  return last.value
}
