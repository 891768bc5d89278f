/** The style of all pages, for `app/page-style.tsx`, which Next bundles with its own copies of modules. */
import { readFileSync } from 'node:fs'

const STYLE = Symbol.for('cashier.page-style')
const BUNDLED = new URL('../../../app/page-style.bundled.css', import.meta.url)

/** @throws Error without a build */
export function loadPageStyle(): void {
  try {
    ;(globalThis as { [STYLE]?: string })[STYLE] = readFileSync(BUNDLED, 'utf8')
  } catch (error) {
    throw new Error('the style of the pages is missing: run `npm run build`', { cause: error })
  }
}
