'use client'

const STYLE = Symbol.for('cashier.page-style')

/**
 * The style of all pages, inside the document: on a slow line a file would cost the first paint one more trip. A
 * client component, so that the data for hydration does not have the text a second time.
 */
export default function PageStyle({ nonce }: { readonly nonce?: string | undefined }) {
  const present = typeof document === 'undefined' ? null : document.querySelector<HTMLStyleElement>('style[data-page]')
  const css = present ? present.textContent : ((globalThis as { [STYLE]?: string })[STYLE] ?? '')
  return <style data-page="" nonce={nonce ?? present?.nonce} dangerouslySetInnerHTML={{ __html: css }} />
}
