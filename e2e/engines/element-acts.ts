/** What a person does with an element. */
import { z } from 'zod'
import type { FrameCommands, Reference } from './frame-commands.ts'
import { WebDriverError } from './webdriver.ts'

/** Frames scroll one after the other, and may grow meanwhile. */
const AIM = `const element = arguments[0]
element.removeAttribute('data-pressed')
element.addEventListener('click', () => element.setAttribute('data-pressed', ''), { once: true, capture: true })
element.scrollIntoView({ block: 'nearest' })
return new Promise((resolve) => setTimeout(() => resolve(null), 100))`
/** Where the press has led to another page, there is no such element any more. */
const MISSED = `return arguments[0].isConnected && !arguments[0].hasAttribute('data-pressed')`

/** @throws WebDriverError for a press that missed, because the page moved under it, or the element is disabled */
export async function pressElement(page: FrameCommands, element: Reference): Promise<void> {
  await page.run(AIM, element)
  await page.toElement('WebDriver:ElementClick', element)
  if ((await page.run(MISSED, element).catch(() => false)) === true)
    throw new WebDriverError('press', 'element click intercepted', 'no click arrived')
}

export async function fillField(page: FrameCommands, element: Reference, text: string): Promise<void> {
  // Clearing takes the focus away, which closes some lists.
  if ((await page.run('return arguments[0].value', element)) !== '')
    await page.toElement('WebDriver:ElementClear', element)
  await page.toElement('WebDriver:ElementSendKeys', element, { text })
}

/** By WebDriver's code points, as far as they are needed. */
const MODIFIERS: Readonly<Record<string, string>> = { Control: '\uE009' }

/** @param key as Playwright's: modifiers and a character, with `+` between */
export async function pressKey(page: FrameCommands, element: Reference, key: string): Promise<void> {
  const keys = key.split('+').map((part) => {
    const code = part.length === 1 ? part : MODIFIERS[part]
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
