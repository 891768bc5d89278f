'use client'

import Bookmark from 'lucide-react/icons/bookmark'
import Columns from 'lucide-react/icons/columns-3'
import Download from 'lucide-react/icons/download'
import ListFilter from 'lucide-react/icons/list-filter'
import { useId, useState, type ReactNode } from 'react'
import { buttonClass } from '#components/ui/button.tsx'
import { FIRST_PAGE, viewQueryOf } from '#lib/contract/operate/list-address.ts'
import type { ViewedList } from '#lib/contract/operate/views.ts'
import { useAddress } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { ColumnChooser } from '../ui/column-chooser.tsx'
import type { ChosenColumns, ListAddressState } from '../ui/use-columns.ts'
import type { FilterField } from './filter-fields.ts'
import { FilterPanel } from './filter-panel.tsx'
import { SavedViews } from './saved-views.tsx'

type ToolName = 'filters' | 'views' | 'columns'

const ICONS = { filters: ListFilter, columns: Columns, views: Bookmark } as const

/** What can be done with a list: each tool opens its panel below, one at a time. */
export function ListToolbar<Row>({
  list,
  address: [state, change],
  fields,
  chosen,
  fileHref,
}: {
  readonly list: ViewedList
  readonly address: ListAddressState
  /** Undefined: the list has its own form for them. */
  readonly fields?: readonly FilterField[]
  readonly chosen: ChosenColumns<Row>
  readonly fileHref: string
}) {
  const { t } = useConsoleText()
  const { path } = useAddress()
  const id = useId()
  const [open, setOpen] = useState<ToolName | null>(null)
  const close = (): void => setOpen(null)
  const activeFilters = (fields ?? []).filter(({ name }) => state[name] !== undefined).length
  const tools: readonly ToolName[] = fields === undefined ? ['views', 'columns'] : ['filters', 'views', 'columns']
  const panels: Readonly<Record<ToolName, () => ReactNode>> = {
    filters: () => (
      <FilterPanel
        fields={fields ?? []}
        state={state}
        onApply={(values) => {
          close()
          change({ ...values, ...FIRST_PAGE })
        }}
      />
    ),
    views: () => (
      <SavedViews
        list={list}
        query={viewQueryOf(state)}
        hrefOf={(query) => (query === '' ? path : `${path}?${query}`)}
      />
    ),
    columns: () => <ColumnChooser columns={chosen.columns} shown={chosen.shown} onChange={chosen.choose} />,
  }
  return (
    <div
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open !== null) close()
      }}
    >
      <div className="flex flex-wrap gap-2">
        {tools.map((tool) => {
          const Icon = ICONS[tool]
          return (
            <button
              key={tool}
              type="button"
              aria-expanded={tool === open}
              aria-controls={tool === open ? id : undefined}
              className={TOOL}
              onClick={() => setOpen(tool === open ? null : tool)}
            >
              <Icon aria-hidden size={16} />
              {tool === 'filters' && activeFilters > 0
                ? t('tool.filtersSet', { count: activeFilters })
                : t(`tool.${tool}`)}
            </button>
          )
        })}
        <a href={fileHref} download className={TOOL}>
          <Download aria-hidden size={16} />
          {t('tool.file')}
        </a>
      </div>
      {open !== null && (
        <div id={id} className="mt-3 rounded-card border border-line bg-surface p-4">
          {panels[open]()}
        </div>
      )}
    </div>
  )
}

const TOOL = buttonClass('quiet', 'border border-line bg-surface aria-expanded:border-accent aria-expanded:text-accent')
