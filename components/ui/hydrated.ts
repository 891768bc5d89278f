'use client'

import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

/** False on the server and in the first client render, which must be equal; then true. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
