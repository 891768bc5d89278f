import { loadCashier } from './index.ts'
import type { CashierAppearance, CashierOptions, MountedCashier } from './script.ts'

/** The first pause before the script is requested again; each further pause is twice as long, up to `MOST_MS`. */
const FIRST_MS = 2000
const MOST_MS = 30_000

/**
 * Mounts when the script has loaded, unless `destroy` was called before. A script that fails to load is an event, once;
 * it is requested again after a pause, and at once when the network is back.
 */
export function mountLater(origin: string, target: Element, options: CashierOptions): MountedCashier {
  let mounted: MountedCashier | undefined
  let gone = false
  let failed = false
  let pause = FIRST_MS
  let stopWaiting = (): void => undefined
  const appearance: CashierAppearance = { locale: options.locale, theme: options.theme }
  const load = (): void => {
    stopWaiting()
    loadCashier(origin).then(
      (cashier) => {
        if (!gone) mounted = cashier.mount(target, { ...options, ...appearance })
      },
      (error: unknown) => {
        if (gone) return
        waitAndLoad()
        const message = error instanceof Error ? error.message : String(error)
        if (!failed) options.onEvent?.({ type: 'error', code: 'not_ready', message })
        failed = true
      },
    )
  }
  const waitAndLoad = (): void => {
    const timer = setTimeout(load, pause)
    pause = Math.min(pause * 2, MOST_MS)
    addEventListener('online', load)
    stopWaiting = () => {
      clearTimeout(timer)
      removeEventListener('online', load)
    }
  }
  load()
  return {
    update(next) {
      appearance.locale = next.locale ?? appearance.locale
      appearance.theme = next.theme ?? appearance.theme
      mounted?.update(next)
    },
    destroy() {
      gone = true
      stopWaiting()
      mounted?.destroy()
    },
  }
}
