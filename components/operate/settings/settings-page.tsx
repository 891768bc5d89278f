'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { settingsQuery } from '#lib/browser/operate/installation.ts'
import type { SettingsAnswer, ShownSetting } from '#lib/contract/operate/settings.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Doctor } from './doctor.tsx'

/** How this installation is configured. Read only: the environment decides. */
export default function SettingsPage() {
  const { t } = useConsoleText()
  const settings = useQuery(settingsQuery(useConsoleClient()))
  const { role } = useOperator()
  return (
    <>
      <PageHead title={t('page.settings')} about={t('settings.about')} />
      {settings.isError && <LoadingFailure error={settings.error} retry={() => void settings.refetch()} />}
      {settings.data && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          <Installation {...settings.data} />
          {mayActAs(role, 'admin') && <Doctor />}
          <Keys keys={settings.data.keys} />
          <Variables settings={settings.data.settings} />
        </div>
      )}
    </>
  )
}

function Section({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about?: string
  readonly children: ReactNode
}) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 className="text-l font-semibold">{title}</h2>
        {about !== undefined && <p className="text-s text-ink-2">{about}</p>}
      </div>
      {children}
    </section>
  )
}

function Installation({ version, commit, node, database, instances }: SettingsAnswer) {
  const { t } = useConsoleText()
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('settings.version'), commit === null ? version : `${version} (${commit})`],
    [t('settings.node'), node],
    [t('settings.database'), database],
    [
      t('settings.instances'),
      <ul key="instances">
        {instances.map(({ id, answered }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2">
            <IdText id={id} name={t('settings.instance')} short />
            {answered && <span className="text-s text-ink-2">{t('settings.answered')}</span>}
          </li>
        ))}
      </ul>,
    ],
  ]
  return (
    <Section title={t('settings.installation')}>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 rounded-card border border-line bg-surface p-4 sm:grid-cols-[auto_minmax(0,1fr)]">
        {facts.map(([name, value]) => (
          <div key={name} className="sm:contents">
            <dt className="text-s text-ink-2">{name}</dt>
            <dd className="min-w-0 wrap-anywhere" translate="no">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function Keys({ keys }: Pick<SettingsAnswer, 'keys'>) {
  const { t } = useConsoleText()
  return (
    <Section title={t('settings.keys')} about={t('settings.keysAbout')}>
      <ul className="grid gap-2 rounded-card border border-line bg-surface p-4">
        {keys.map(({ name, fingerprint, bits }) => (
          <li key={`${name} ${fingerprint}`} className="min-w-0">
            <p className="text-s">
              <code className="font-mono break-all">{name}</code>{' '}
              <span className="text-ink-2">{t('settings.bits', { bits: String(bits) })}</span>
            </p>
            <IdText id={fingerprint} name={t('settings.fingerprint')} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Variables({ settings }: Pick<SettingsAnswer, 'settings'>) {
  const { t } = useConsoleText()
  return (
    <Section title={t('settings.variables')} about={t('settings.variablesAbout')}>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-y-2 rounded-card border border-line bg-surface p-4 sm:grid-cols-[minmax(0,max-content)_minmax(0,1fr)] sm:gap-x-6 sm:gap-y-1.5">
        {settings.map((setting) => (
          <div key={setting.name} className="sm:contents">
            <dt className="font-mono text-s break-all">{setting.name}</dt>
            <dd className="min-w-0 text-s wrap-anywhere" translate="no">
              <Value {...setting} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function Value({ state, value, secret }: ShownSetting) {
  const { t } = useConsoleText()
  if (secret) return <span className="text-ink-2">{t(state === 'set' ? 'settings.secretSet' : 'settings.unset')}</span>
  if (value === null) return <span className="text-ink-2">{t('settings.unset')}</span>
  return (
    <>
      <span className={state === 'set' ? '' : 'text-ink-2'}>{value}</span>
      {state === 'default' && <span className="text-ink-2"> ({t('settings.default')})</span>}
    </>
  )
}
