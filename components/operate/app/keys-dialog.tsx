'use client'

import { Dialog } from '#components/ui/dialog.tsx'
import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'
import { useConsoleText } from '../context/texts.tsx'
import { useMenuPages } from './use-menu-pages.ts'

const KEYS: readonly (readonly [keys: readonly string[], does: ConsoleKey])[] = [
  [['/'], 'keys.search'],
  [['Ctrl', 'K'], 'keys.palette'],
  [['j'], 'keys.next'],
  [['k'], 'keys.previous'],
  [['Enter'], 'keys.open'],
  [['?'], 'keys.list'],
]

/** The list of keys. Loaded on demand. */
export default function KeysDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useConsoleText()
  const pages = useMenuPages()
  const rows = [
    ...KEYS.map(([keys, does]) => [keys, t(does)] as const),
    ...pages.map(({ title, menu }) => [['g', menu?.letter ?? ''], t('keys.go', { page: t(title) })] as const),
  ]
  return (
    <Dialog open={open} title={t('keys.title')} onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2 px-5 pt-1 pb-5">
        {rows.map(([keys, does]) => (
          <div key={does} className="contents">
            <dt className="whitespace-nowrap">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="me-1 inline-block min-w-6 rounded-small border border-line bg-sunken px-1.5 text-center font-mono text-s"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-s">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
