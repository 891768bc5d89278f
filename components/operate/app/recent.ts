'use client'

import { useEffect } from 'react'
import { createRecentPages } from '#lib/browser/operate/recent-pages.ts'
import { useAddress } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { findPage } from './pages.ts'

export const recentPages = createRecentPages(() => window.sessionStorage)

/** Remembers the pages of single things, such as a user, for the palette. */
export function useRecentPages(): void {
  const { path } = useAddress()
  const { t } = useConsoleText()
  useEffect(() => {
    const found = findPage(path)
    const [id] = Object.values(found?.params ?? {})
    if (found !== null && id !== undefined) recentPages.add({ href: path, label: `${t(found.page.title)} ${id}` })
  }, [path, t])
}
