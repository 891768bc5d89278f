/**
 * The interface of a browser for the specs of this folder. Playwright's Chromium has it; the others get it by
 * WebDriver.
 */
import type { MinimalLocator, MinimalRoot } from '../../packages/testing/src/minimal-locator.ts'

/**
 * Engines with their usual settings, except `firefox-strict`, which has Firefox's strict protection, and
 * `webkit-cookies`, which accepts cookies of other sites: by default WebKitGTK accepts no cookies in a frame, not even
 * partitioned ones.
 */
export const ENGINES = ['chromium', 'firefox', 'firefox-strict', 'webkit', 'webkit-cookies'] as const
export type EngineName = (typeof ENGINES)[number]

/** High enough that no page scrolls: in a scrolled page, WebKit's driver misses elements of a frame. */
export const WINDOW = { width: 1000, height: 2200 } as const

/** Like Playwright's `Locator`. */
export interface EngineLocator extends MinimalLocator<EngineLocator> {
  /** Does not wait. */
  count(): Promise<number>
  getAttribute(name: string): Promise<string | null>
  inputValue(): Promise<string>
  /** @param key such as `Control+v` */
  press(key: string): Promise<void>
}

/** Like Playwright's `FrameLocator`. */
export type EngineRoot = MinimalRoot<EngineLocator, EngineRoot>

/** Like Playwright's `Page`. */
export interface EnginePage extends MinimalRoot<EngineLocator, EngineRoot> {
  evaluate<A, R>(pageFunction: (argument: A) => R, argument: A): Promise<R>
  /** Shows the tab: a browser may drop presses in a tab in the background. */
  bringToFront(): Promise<void>
}

export interface Engine {
  readonly name: EngineName
  /** The folder for downloads. */
  readonly downloads: string
  /** Opens this address in the only page; others are closed. */
  open(url: string): Promise<EnginePage>
  /** Waits for a new page, which neither `open` nor an earlier call has returned. */
  openedPage(): Promise<EnginePage>
  stop(): Promise<void>
}
