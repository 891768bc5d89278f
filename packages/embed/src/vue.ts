import { defineComponent, h, onBeforeUnmount, onMounted, useTemplateRef, watch, type PropType } from 'vue'
import { mountLater } from './mount-later.ts'
import type { CashierEvent, CashierTheme, MountedCashier } from './script.ts'

/** The cashier in its own element. Use the user's id as `key`, so that another user gets another cashier. */
export const Cashier = defineComponent({
  name: 'CashierFrame',
  props: {
    /** The cashier's `PUBLIC_URL`. */
    origin: { type: String, required: true },
    fetchLaunchToken: { type: Function as PropType<() => Promise<string>>, required: true },
    locale: { type: String, default: undefined },
    theme: { type: String as PropType<CashierTheme>, default: undefined },
  },
  emits: { event: (_event: CashierEvent) => true },
  setup(props, { emit }) {
    const place = useTemplateRef<HTMLDivElement>('place')
    let mounted: MountedCashier | undefined
    onMounted(() => {
      if (place.value === null) return
      mounted = mountLater(props.origin, place.value, {
        locale: props.locale,
        theme: props.theme,
        fetchLaunchToken: () => props.fetchLaunchToken(),
        onEvent: (event) => emit('event', event),
      })
    })
    watch(
      () => ({ locale: props.locale, theme: props.theme }),
      (appearance) => mounted?.update(appearance),
    )
    onBeforeUnmount(() => mounted?.destroy())
    return () => h('div', { ref: 'place' })
  },
})
