/** The merchant's script, bundled to public/embed.js and public/embed/v1.js. */
import { createMount } from './mount.ts'

globalThis.Cashier = { mount: createMount(ownOrigin(document)) }

/**
 * The cashier's origin: `data-cashier-origin` of a <script> if the merchant serves or bundles the script, otherwise the
 * origin from which the script was loaded. Must run while the script is evaluated.
 * @throws if neither is found
 */
function ownOrigin(document: Document): string {
  const current = document.currentScript
  // An image named `currentScript` would shadow the property.
  const script = current instanceof HTMLScriptElement ? current : undefined
  const address =
    (script?.dataset['cashierOrigin'] ??
      lastScript(document, 'script[data-cashier-origin]')?.dataset['cashierOrigin']) ||
    // A module has no current script.
    (script?.src ?? lastScript(document, 'script[src$="/embed.js"],script[src*="/embed/v1"]')?.src)
  if (!address)
    throw new Error('Cashier: no origin. Load embed.js with <script src> or set data-cashier-origin on a <script>.')
  return new URL(address, document.baseURI).origin
}

function lastScript(document: Document, selector: string): HTMLScriptElement | undefined {
  return Array.from(document.querySelectorAll<HTMLScriptElement>(selector)).at(-1)
}
