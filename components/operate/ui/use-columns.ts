'use client'

import { useEffect } from 'react'
import { useOperator } from '../context/operator.tsx'
import type { DataColumn } from './data-table.tsx'

/** The columns that this operator has chosen for a list, in this browser. */
const keyOf = (operator: string, list: string): string => `console-columns ${operator} ${list}`

function stored(key: string): string | undefined {
  try {
    return window.localStorage.getItem(key) ?? undefined
  } catch {
    // The browser keeps nothing for this site.
    return undefined
  }
}

function store(key: string, text: string | undefined): void {
  try {
    if (text === undefined) window.localStorage.removeItem(key)
    else window.localStorage.setItem(key, text)
  } catch {
    // It then lasts as long as the address.
  }
}

export interface Columns {
  /** The ids of the shown columns; undefined: the usual ones. */
  readonly shown: readonly string[] | undefined
  readonly choose: (shown: readonly string[] | undefined) => void
}

/**
 * Which columns of a list are shown: those of the address, else those that the operator chose last. The address then
 * gets them, so that its link shows the same list to another person.
 * @param text `columns` of the address
 * @param change puts it into the address
 */
export function useColumns<Row>(
  list: string,
  columns: readonly DataColumn<Row>[],
  text: string | undefined,
  change: (columns: string | undefined) => void,
): Columns {
  const key = keyOf(useOperator().id, list)
  const chosen = text ?? stored(key)
  useEffect(() => {
    if (text === undefined && chosen !== undefined) change(chosen)
  }, [text, chosen, change])
  const known = new Set(columns.map(({ id }) => id))
  const shown = chosen?.split(',').filter((id) => known.has(id))
  return {
    shown: shown === undefined || shown.length === 0 ? undefined : shown,
    choose: (next) => {
      const joined = next?.join(',')
      store(key, joined)
      change(joined)
    },
  }
}
