/** A browser as the specs of this folder use it: Playwright's Chromium fits as it is, the others by WebDriver. */
import type { MinimalLocator, MinimalRoot } from '../../packages/testing/src/minimal-locator.ts'

/**
 * As they are installed, but for: `firefox-strict`, with Firefox's strict protection; `webkit-cookies`, which takes
 * cookies of other sites, because WebKitGTK takes none in a frame, partitioned ones neither.
 */
export const ENGINES = ['chromium', 'firefox', 'firefox-strict', 'webkit', 'webkit-cookies'] as const
export type EngineName = (typeof ENGINES)[number]

/** High enough that no page scrolls: WebKit's driver misses in a frame of a page that is scrolled. */
export const WINDOW = { width: 1000, height: 2200 } as const

/** As Playwright's `Locator`. */
export interface EngineLocator extends MinimalLocator<EngineLocator> {
  /** Does not wait. */
  count(): Promise<number>
  getAttribute(name: string): Promise<string | null>
  inputValue(): Promise<string>
  /** @param key such as `Control+v` */
  press(key: string): Promise<void>
}

/** As Playwright's `FrameLocator`. */
export type EngineRoot = MinimalRoot<EngineLocator, EngineRoot>

/** As Playwright's `Page`. */
export interface EnginePage extends MinimalRoot<EngineLocator, EngineRoot> {
  evaluate<A, R>(pageFunction: (argument: A) => R, argument: A): Promise<R>
  /** As a person who comes back to its tab: a browser may drop presses in a tab that another one covers. */
  bringToFront(): Promise<void>
}

export interface Engine {
  readonly name: EngineName
  /** Where the browser saves files. */
  readonly downloads: string
  /** Opens this address in the only page; others are closed. */
  open(url: string): Promise<EnginePage>
  /** Waits until a page has opened that neither `open` nor an earlier call has given. */
  openedPage(): Promise<EnginePage>
  stop(): Promise<void>
}
