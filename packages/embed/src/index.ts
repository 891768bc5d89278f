import type { CashierScript } from './script.ts'

export type * from './script.ts'

const loading = new Map<string, Promise<CashierScript>>()

const loaded = (): CashierScript | undefined => (globalThis as { readonly Cashier?: CashierScript }).Cashier

function load(origin: string): Promise<CashierScript> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = new URL('/embed/v1.js', origin).href
    script.addEventListener('load', () => {
      const cashier = loaded()
      if (cashier) resolve(cashier)
      else reject(new Error(`${script.src} is not the cashier's script.`))
    })
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`${script.src} did not load.`))
    })
    document.head.append(script)
  })
}

/**
 * Loads the cashier's script, once for each origin; after a failure the next call tries again. Only in a browser.
 * @param origin the cashier's `PUBLIC_URL`
 */
export function loadCashier(origin: string): Promise<CashierScript> {
  const known = loading.get(origin)
  if (known) return known
  const promise = load(origin)
  loading.set(origin, promise)
  promise.catch(() => loading.delete(origin))
  return promise
}
