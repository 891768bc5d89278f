'use client'

import Bookmark from 'lucide-react/icons/bookmark'
import Columns from 'lucide-react/icons/columns-3'
import Download from 'lucide-react/icons/download'
import ListFilter from 'lucide-react/icons/list-filter'
import { useId, useState, type ReactNode } from 'react'
import { buttonClass } from '#components/ui/button.tsx'
import { useConsoleText } from '../context/texts.tsx'

export type ToolName = 'filters' | 'columns' | 'views'

const ICONS = { filters: ListFilter, columns: Columns, views: Bookmark } as const

/** What can be done with a list: each tool opens its panel below, one at a time. */
export function ListToolbar({
  tools,
  activeFilters,
  fileHref,
  panelOf,
}: {
  readonly tools: readonly ToolName[]
  /** How many filters are set. */
  readonly activeFilters: number
  readonly fileHref: string
  readonly panelOf: (tool: ToolName, close: () => void) => ReactNode
}) {
  const { t } = useConsoleText()
  const id = useId()
  const [open, setOpen] = useState<ToolName | null>(null)
  const close = (): void => setOpen(null)
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
          {panelOf(open, close)}
        </div>
      )}
    </div>
  )
}

const TOOL = buttonClass('quiet', 'border border-line bg-surface aria-expanded:border-accent aria-expanded:text-accent')
