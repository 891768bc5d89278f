'use client'

import { useEffect } from 'react'
import type { ListAddress } from '#lib/contract/operate/list-address.ts'
import type { ViewedList } from '#lib/contract/operate/views.ts'
import { useOperator } from '../context/operator.tsx'
import type { DataColumn } from './data-table.tsx'

/** The address of a list, and a function that changes it. */
export type ListAddressState = readonly [
  state: ListAddress,
  change: (changes: ListAddress, how?: 'push' | 'replace') => void,
]

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

export interface ChosenColumns<Row> {
  readonly columns: readonly DataColumn<Row>[]
  /** The ids of the shown columns; undefined: the usual ones. */
  readonly shown: readonly string[] | undefined
  readonly choose: (shown: readonly string[] | undefined) => void
}

/**
 * Which columns of a list are shown: those of the address, else those that the operator chose last. The address then
 * gets them, so that its link shows the same list to another person.
 * @param address of `useAddressState`
 */
export function useColumns<Row>(
  list: ViewedList,
  columns: readonly DataColumn<Row>[],
  [state, change]: ListAddressState,
): ChosenColumns<Row> {
  const text = state['columns']
  const key = keyOf(useOperator().id, list)
  const chosen = text ?? stored(key)
  useEffect(() => {
    if (text === undefined && chosen !== undefined) change({ columns: chosen }, 'replace')
  }, [text, chosen, change])
  const known = new Set(columns.map(({ id }) => id))
  const shown = chosen?.split(',').filter((id) => known.has(id))
  return {
    columns,
    shown: shown === undefined || shown.length === 0 ? undefined : shown,
    choose: (next) => {
      const joined = next?.join(',')
      store(key, joined)
      change({ columns: joined }, 'replace')
    },
  }
}
