/**
 * What the page object asks of the browser's driver: a small part of Playwright's `Page`, `FrameLocator` and `Locator`,
 * so that another driver can be put behind it.
 */
export type MinimalRole =
  'alert' | 'button' | 'combobox' | 'contentinfo' | 'dialog' | 'heading' | 'link' | 'navigation' | 'option' | 'region'

export interface NameOptions {
  /** Match the whole text and its case; otherwise a part in any case matches. */
  readonly exact?: boolean
}

export interface MinimalRoleOptions extends NameOptions {
  readonly name?: string | RegExp
  /** Level of a heading. */
  readonly level?: number
}

/** Finds elements again in each call, like Playwright's `Locator`. An action on an element waits until it exists. */
export interface MinimalLocator<Self> {
  locator(selector: string): Self
  getByRole(role: MinimalRole, options?: MinimalRoleOptions): Self
  first(): Self
  or(other: Self): Self
  click(): Promise<void>
  fill(value: string): Promise<void>
  /** Selects by value or label. */
  selectOption(option: string): Promise<unknown>
  innerText(): Promise<string>
  /** Does not wait. */
  isVisible(): Promise<boolean>
  waitFor(options?: { readonly state?: 'attached' | 'visible' | 'hidden' }): Promise<void>
  scrollIntoViewIfNeeded(): Promise<void>
  /** Runs a function in the page. The function may not use variables of its scope. */
  evaluate<R>(pageFunction: (element: HTMLElement) => R | Promise<R>): Promise<R>
}

/** A page, or a frame in it. */
export interface MinimalRoot<L, F> {
  locator(selector: string): L
  getByRole(role: MinimalRole, options?: MinimalRoleOptions): L
  getByLabel(text: string, options?: NameOptions): L
  frameLocator(selector: string): F
}
