'use client'

import { recordHref, type RecordPage } from '../context/page-links.ts'
import { IdText } from './id-text.tsx'

/** The beginning of a record's id, as a link to its page; nothing for no id. */
export function LinkedId({
  id,
  name,
  page,
}: {
  readonly id: string | null
  /** What the id is, for the copy button's label. */
  readonly name: string
  readonly page: RecordPage
}) {
  if (id === null) return null
  return <IdText short id={id} name={name} href={recordHref(page, id)} />
}
