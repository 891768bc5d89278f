'use client'

import { createContext, use } from 'react'

/** What the console needs to know of this installation. */
export interface ConsoleSettings {
  /** `EXPLORER_URL`; null: the public explorers. */
  readonly explorer: string | null
  /** The embedded ledger keeps the books. */
  readonly embedded: boolean
}

export const ConsoleSettingsContext = createContext<ConsoleSettings>({ explorer: null, embedded: true })

export const useConsoleSettings = (): ConsoleSettings => use(ConsoleSettingsContext)
