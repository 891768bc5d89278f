/** The content of one frame of a tab, entered anew for each act, because a frame may have been replaced meanwhile. */
import { eventually } from './eventually.ts'
import type { Finder } from './finders.ts'
import type { FrameCommands, Reference } from './frame-commands.ts'
import { WebDriverError } from './webdriver.ts'

export class WebDriverFrame {
  readonly #page: FrameCommands
  readonly #handle: string
  readonly #frames: readonly Finder[]

  /**
   * @param handle of the tab
   * @param frames around it, the outermost first
   */
  constructor(page: FrameCommands, handle: string, frames: readonly Finder[] = []) {
    this.#page = page
    this.#handle = handle
    this.#frames = frames
  }

  frame(finder: Finder): WebDriverFrame {
    return new WebDriverFrame(this.#page, this.#handle, [...this.#frames, finder])
  }

  /** With the elements that are there now; without any while a frame around them is not there. */
  read<T>(finder: Finder, read: (page: FrameCommands, elements: readonly Reference[]) => Promise<T>): Promise<T> {
    return eventually(() =>
      this.#page.alone(async () => {
        const isThere = await this.#enter()
        return read(this.#page, isThere ? await finder.find(this.#page, null) : [])
      }),
    )
  }

  /** With one element, once it is there and alone. */
  act<T>(finder: Finder, act: (page: FrameCommands, element: Reference) => Promise<T>): Promise<T> {
    return this.read(finder, async (page, elements) => act(page, only(elements, finder)))
  }

  /** Runs the body of a function here. */
  run(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return eventually(() =>
      this.#page.alone(async () => {
        if (!(await this.#enter())) throw new WebDriverError('run', 'no such frame', 'a frame is not there')
        return this.#page.run(script, ...args)
      }),
    )
  }

  async #enter(): Promise<boolean> {
    await this.#page.enterTab(this.#handle)
    for (const finder of this.#frames) {
      const found = await finder.find(this.#page, null)
      if (found.length === 0) return false
      await this.#page.enterFrame(only(found, finder))
    }
    return true
  }
}

function only(elements: readonly Reference[], { description }: Finder): Reference {
  const [element] = elements
  if (element !== undefined && elements.length === 1) return element
  // The same code for several, of which all but one may be about to go.
  throw new WebDriverError('find', 'no such element', `${description} finds ${elements.length} elements`)
}
