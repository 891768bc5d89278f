/**
 * What the page object asks of the browser's driver: a small part of Playwright's `Page`, `FrameLocator` and `Locator`,
 * so that another driver can be put behind it.
 */
export type MinimalRole =
  'alert' | 'button' | 'combobox' | 'contentinfo' | 'dialog' | 'heading' | 'link' | 'navigation' | 'option' | 'region'

export interface NameOptions {
  /** All of a text and its case count; otherwise a part in any case is enough. */
  readonly exact?: boolean
}

export interface MinimalRoleOptions extends NameOptions {
  readonly name?: string | RegExp
  /** Of a heading. */
  readonly level?: number
}

/** Finds elements anew for each call, as Playwright's `Locator` does; what acts on one element waits until it is there. */
export interface MinimalLocator<Self> {
  locator(selector: string): Self
  getByRole(role: MinimalRole, options?: MinimalRoleOptions): Self
  first(): Self
  or(other: Self): Self
  click(): Promise<void>
  fill(value: string): Promise<void>
  /** By its value or its label. */
  selectOption(option: string): Promise<unknown>
  innerText(): Promise<string>
  /** Does not wait. */
  isVisible(): Promise<boolean>
  waitFor(options?: { readonly state?: 'attached' | 'visible' | 'hidden' }): Promise<void>
  scrollIntoViewIfNeeded(): Promise<void>
  /** Runs a function in the page; it may use nothing from around it. */
  evaluate<R>(pageFunction: (element: HTMLElement) => R | Promise<R>): Promise<R>
}

/** A page, or a frame in it. */
export interface MinimalRoot<L, F> {
  locator(selector: string): L
  getByRole(role: MinimalRole, options?: MinimalRoleOptions): L
  getByLabel(text: string, options?: NameOptions): L
  frameLocator(selector: string): F
}
