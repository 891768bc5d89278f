import { defineComponent, h, onBeforeUnmount, onMounted, useTemplateRef, watch, type PropType } from 'vue'
import { mountLater } from './mount-later.ts'
import type { CashierEvent, CashierFile, CashierTheme, MountedCashier } from './script.ts'

/** The cashier in its own element. Use the user's id as `key`, so that another user gets another cashier. */
export const Cashier = defineComponent({
  name: 'CashierFrame',
  props: {
    /** The cashier's `PUBLIC_URL`. */
    origin: { type: String, required: true },
    fetchLaunchToken: { type: Function as PropType<() => Promise<string>>, required: true },
    locale: { type: String, default: undefined },
    theme: { type: String as PropType<CashierTheme>, default: undefined },
    /** `@file`: as `onFile` of the script. */
    onFile: { type: Function as PropType<(file: CashierFile) => void>, default: undefined },
    /** `@link`: as `onLink` of the script. */
    onLink: { type: Function as PropType<(url: string) => void>, default: undefined },
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
        ...(props.onFile && { onFile: (file: CashierFile) => props.onFile?.(file) }),
        ...(props.onLink && { onLink: (url: string) => props.onLink?.(url) }),
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
