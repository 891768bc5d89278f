/** The content of one frame of a tab. Each act enters the frame again, because it may have been replaced meanwhile. */
import { eventually } from './eventually.ts'
import type { Finder } from './finders.ts'
import type { FrameCommands, Reference } from './frame-commands.ts'
import { WebDriverError } from './webdriver.ts'

export class WebDriverFrame {
  readonly #page: FrameCommands
  readonly #handle: string
  readonly #frames: readonly Finder[]

  /** @param handle of the tab @param frames the frames to enter, the outermost first */
  constructor(page: FrameCommands, handle: string, frames: readonly Finder[] = []) {
    this.#page = page
    this.#handle = handle
    this.#frames = frames
  }

  frame(finder: Finder): WebDriverFrame {
    return new WebDriverFrame(this.#page, this.#handle, [...this.#frames, finder])
  }

  /** Acts on the current elements; on none while one of the frames is missing. */
  read<T>(finder: Finder, read: (page: FrameCommands, elements: readonly Reference[]) => Promise<T>): Promise<T> {
    return eventually(() =>
      this.#page.alone(async () => {
        const isThere = await this.#enter()
        return read(this.#page, isThere ? await finder.find(this.#page, null) : [])
      }),
    )
  }

  /** Acts on an element, once exactly one is there. */
  act<T>(finder: Finder, act: (page: FrameCommands, element: Reference) => Promise<T>): Promise<T> {
    return this.read(finder, async (page, elements) => act(page, only(elements, finder)))
  }

  /** Runs the body of a function in the frame. */
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
  // The same code for several elements, because all but one may be about to disappear.
  throw new WebDriverError('find', 'no such element', `${description} finds ${elements.length} elements`)
}
