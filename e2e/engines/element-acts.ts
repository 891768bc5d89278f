/** Actions of a person on an element. */
import { z } from 'zod'
import type { FrameCommands, Reference } from './frame-commands.ts'
import { WebDriverError } from './webdriver.ts'

/** Frames scroll one after the other, and may grow meanwhile. */
const AIM = `const element = arguments[0]
element.removeAttribute('data-pressed')
element.addEventListener('click', () => element.setAttribute('data-pressed', ''), { once: true, capture: true })
element.scrollIntoView({ block: 'nearest' })
return new Promise((resolve) => setTimeout(() => resolve(null), 100))`
/** If the press has opened another page, the element is gone and counts as pressed. */
const MISSED = `return arguments[0].isConnected && !arguments[0].hasAttribute('data-pressed')`

/** @throws WebDriverError when the press missed because the page moved, or when the element is disabled */
export async function pressElement(page: FrameCommands, element: Reference): Promise<void> {
  await page.run(AIM, element)
  await page.toElement('WebDriver:ElementClick', element)
  if ((await page.run(MISSED, element).catch(() => false)) === true)
    throw new WebDriverError('press', 'element click intercepted', 'no click arrived')
}

export async function fillField(page: FrameCommands, element: Reference, text: string): Promise<void> {
  // Clearing removes the focus, which closes some lists.
  if ((await page.run('return arguments[0].value', element)) !== '')
    await page.toElement('WebDriver:ElementClear', element)
  await page.toElement('WebDriver:ElementSendKeys', element, { text })
}

/** WebDriver's code points of the keys that the tests use. */
const KEYS: Readonly<Record<string, string>> = { Control: '\uE009', Enter: '\uE007' }

/** @param key as in Playwright: modifiers and a character or a key, joined by `+` */
export async function pressKey(page: FrameCommands, element: Reference, key: string): Promise<void> {
  const keys = key.split('+').map((part) => {
    const code = part.length === 1 ? part : KEYS[part]
    if (code === undefined) throw new RangeError(`no key ${part}`)
    return code
  })
  const text = keys.join('')
  await page.toElement('WebDriver:ElementSendKeys', element, { text })
}

const OPTIONS = `return [...arguments[0].options].filter((one) => one.value === arguments[1] || one.label === arguments[1])`

export async function chooseOption(page: FrameCommands, element: Reference, option: string): Promise<void> {
  const [found] = await page.elements(OPTIONS, element, option)
  if (found === undefined) throw new WebDriverError('select', 'no such element', option)
  await page.toElement('WebDriver:ElementClick', found)
}

const SEEN = `return [...arguments].map((element) => {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
})`

/** Which of them have a size and are not hidden. */
export async function areVisible(page: FrameCommands, elements: readonly Reference[]): Promise<readonly boolean[]> {
  return z.array(z.boolean()).parse(await page.run(SEEN, ...elements))
}
