'use client'

import { useConsoleText } from '../context/texts.tsx'
import { isShown, type DataColumn } from './data-table.tsx'

/** Chooses which columns of a list are shown. A column that names the row always is. */
export function ColumnChooser<Row>({
  columns,
  shown,
  onChange,
}: {
  readonly columns: readonly DataColumn<Row>[]
  /** Ids; undefined: the usual ones. */
  readonly shown: readonly string[] | undefined
  readonly onChange: (shown: readonly string[] | undefined) => void
}) {
  const { t } = useConsoleText()
  const toggle = (id: string): void =>
    onChange(columns.filter((column) => isShown(column, shown) !== (column.id === id)).map((column) => column.id))
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-s font-semibold">{t('list.columns')}</legend>
      <div className="flex flex-wrap gap-2">
        {columns
          .filter((column) => column.names !== true)
          .map((column) => (
            <label
              key={column.id}
              className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-small border border-line bg-surface px-2.5 text-s"
            >
              <input
                type="checkbox"
                className="size-4 accent-(--accent)"
                checked={isShown(column, shown)}
                onChange={() => toggle(column.id)}
              />
              {column.header}
            </label>
          ))}
      </div>
      {shown !== undefined && (
        <button
          type="button"
          className="min-h-9 justify-self-start text-s font-semibold text-accent hover:underline"
          onClick={() => onChange(undefined)}
        >
          {t('list.usualColumns')}
        </button>
      )}
    </fieldset>
  )
}
