'use client'

import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useOperator } from '../context/operator.tsx'
import { PAGES, type PageEntry } from './pages.ts'

/** The pages of the menu that the operator may see. */
export function useMenuPages(): readonly PageEntry[] {
  const { role } = useOperator()
  return PAGES.filter((page) => page.menu !== undefined && mayActAs(role, page.role))
}
