const last = (document: Document, selector: string): HTMLScriptElement | undefined =>
  Array.from(document.querySelectorAll<HTMLScriptElement>(selector)).at(-1)

/**
 * Where the cashier lives: the origin that this script was loaded from. `data-cashier-origin` on a <script> says it
 * where the merchant serves or bundles the script himself. Call it while the script runs for the first time.
 * @throws where neither is to be found
 */
export function ownOrigin(document: Document): string {
  const current = document.currentScript
  // Not by its type alone: an image named `currentScript` would answer to that name.
  const script = current instanceof HTMLScriptElement ? current : undefined
  const address =
    (script?.dataset['cashierOrigin'] ?? last(document, 'script[data-cashier-origin]')?.dataset['cashierOrigin']) ||
    // A module has no current script.
    (script?.src ?? last(document, 'script[src$="/embed.js"],script[src$="/embed/v1.js"]')?.src)
  if (!address)
    throw new Error('Cashier: no address. Load embed.js by a <script src> or set data-cashier-origin on one.')
  return new URL(address, document.baseURI).origin
}
