'use client'

import type { Flow } from '#lib/contract/cashier.ts'
import { NavLink } from '../ui/nav-link.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'

/** Links to the session's flows. Hidden if there is only one. */
export function FlowTabs() {
  const { t } = useTranslations()
  const { flows } = useSession()
  if (flows.length < 2) return null
  return (
    <nav aria-label={t('shell.sections')} className="shown-whole px-5">
      {/* In one row, or in two rows of two. A pair breaks only if it is too long for one row. */}
      <div className="flex flex-wrap gap-1 rounded-card bg-sunken p-1">
        {[flows.slice(0, 2), flows.slice(2)].map((pair) => (
          <div key={pair[0] ?? 'none'} className="flex max-w-full flex-auto flex-wrap gap-1 empty:hidden">
            {pair.map((flow) => (
              <FlowTab key={flow} flow={flow} />
            ))}
          </div>
        ))}
      </div>
      <WholeEnd />
    </nav>
  )
}

function FlowTab({ flow }: { readonly flow: Flow }) {
  const { t } = useTranslations()
  const navigation = useNavigation()
  const current = navigation.flow === flow
  return (
    <NavLink
      href={navigation.hrefOf(flow)}
      aria-current={current ? 'page' : undefined}
      data-testid={`tab-${flow}`}
      onGo={() => navigation.goTo(flow)}
      onPointerEnter={() => navigation.preload(flow)}
      onFocus={() => navigation.preload(flow)}
      className={`flex min-h-11 max-w-full flex-auto items-center justify-center rounded-small px-1 text-center leading-tight hyphens-auto max-[22.5rem]:text-s ${
        current ? 'bg-raised font-semibold text-ink shadow-[0_1px_2px_rgb(0_0_0/.12)]' : 'font-medium text-ink-2'
      }`}
    >
      {t(`flow.${flow}`)}
    </NavLink>
  )
}
