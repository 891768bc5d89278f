'use client'
import { useEffect, useRef, type ReactElement } from 'react'
import { mountLater } from './mount-later.ts'
import type { CashierOptions, MountedCashier } from './script.ts'

export interface CashierProps extends CashierOptions {
  /** The cashier's `PUBLIC_URL`. */
  readonly origin: string
  /** Id of the element around the frame. */
  readonly id?: string | undefined
  /** Class of the element around the frame. */
  readonly className?: string | undefined
}

/** The cashier in its own element. Use the user's id as `key`, so that another user gets another cashier. */
export function Cashier(props: CashierProps): ReactElement {
  const { origin, locale, theme, id, className } = props
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedCashier>(undefined)
  const latest = useRef(props)

  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (place.current === null) return undefined
    const { locale: language, theme: colours } = latest.current
    const cashier = mountLater(origin, place.current, {
      locale: language,
      theme: colours,
      fetchLaunchToken: () => latest.current.fetchLaunchToken(),
      onEvent: (event) => latest.current.onEvent?.(event),
      ...(latest.current.onFile && { onFile: (file) => latest.current.onFile?.(file) }),
      ...(latest.current.onLink && { onLink: (url) => latest.current.onLink?.(url) }),
    })
    mounted.current = cashier
    return () => {
      mounted.current = undefined
      cashier.destroy()
    }
  }, [origin])
  useEffect(() => {
    mounted.current?.update({ locale, theme })
  }, [locale, theme])

  return <div ref={place} id={id} className={className} />
}
