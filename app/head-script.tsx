'use client'

const SCRIPT = Symbol.for('cashier.head-script')

/**
 * The script that runs before the first paint. A client component, so that the data for hydration does not have the text
 * a second time. The server's text comes from `document.tsx`.
 */
export default function HeadScript({ nonce }: { readonly nonce?: string | undefined }) {
  const present =
    typeof document === 'undefined' ? null : document.querySelector<HTMLScriptElement>('script[data-page]')
  const text = present ? present.textContent : ((globalThis as { [SCRIPT]?: string })[SCRIPT] ?? '')
  return <script data-page="" nonce={nonce ?? present?.nonce} dangerouslySetInnerHTML={{ __html: text }} />
}
