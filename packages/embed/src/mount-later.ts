import { loadCashier } from './index.ts'
import type { CashierAppearance, CashierOptions, MountedCashier } from './script.ts'

/** Mounts when the script has loaded, unless `destroy` was called before. A script that fails to load is an event. */
export function mountLater(origin: string, target: Element, options: CashierOptions): MountedCashier {
  let mounted: MountedCashier | undefined
  let gone = false
  const appearance: CashierAppearance = { locale: options.locale, theme: options.theme }
  loadCashier(origin).then(
    (cashier) => {
      if (!gone) mounted = cashier.mount(target, { ...options, ...appearance })
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      if (!gone) options.onEvent?.({ type: 'error', code: 'not_ready', message })
    },
  )
  return {
    update(next) {
      appearance.locale = next.locale ?? appearance.locale
      appearance.theme = next.theme ?? appearance.theme
      mounted?.update(next)
    },
    destroy() {
      gone = true
      mounted?.destroy()
    },
  }
}
