'use client'

import { useQueryClient } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import { ADDRESS_LISTS, forgetAddress, nameAddress } from '#lib/browser/address-list.ts'
import { MOST_NAME_CHARACTERS, type SentAddress } from '#lib/contract/cashier.ts'
import type { LaterKey } from '#lib/i18n/translator.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { useTranslations, type Translations } from '../context/translations.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { useAnnounce } from '../ui/announcer.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, fieldInput } from '../ui/field.tsx'
import { focusField, focusHere } from '../ui/focus.ts'
import { useTimeText } from '../ui/time.tsx'

/** The addresses to which the user sent: chooses one, names it, or forgets it. Loaded on demand. */
export default function KnownAddressesDialog({
  later,
  open,
  addresses,
  onClose,
  onChoose,
}: {
  readonly later: Translations<LaterKey>
  readonly open: boolean
  readonly addresses: readonly SentAddress[]
  readonly onClose: () => void
  readonly onChoose: (address: string) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <Dialog open={open} title={later.t('withdraw.known.title')} onClose={onClose}>
      <div
        ref={list}
        tabIndex={-1}
        className="min-h-40 overflow-y-auto overscroll-contain px-5 pt-1 pb-5 outline-none"
        data-testid="address-list"
      >
        {addresses.length === 0 ? (
          <p className="py-6 text-center text-ink-2">{later.t('withdraw.known.none')}</p>
        ) : (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
            {addresses.map((sent) => (
              <li key={sent.id} className="rounded-card border border-line">
                <Entry later={later} sent={sent} onChoose={onChoose} onGone={() => focusHere(list.current)} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

type Act = 'rename' | 'forget'

function Entry({
  later,
  sent,
  onChoose,
  onGone,
}: {
  readonly later: Translations<LaterKey>
  readonly sent: SentAddress
  readonly onChoose: (address: string) => void
  /** Takes the focus of an entry that was forgotten. */
  readonly onGone: () => void
}) {
  const timeText = useTimeText()
  const client = useBffClient()
  const cache = useQueryClient()
  const announce = useAnnounce()
  const [act, setAct] = useState<Act | null>(null)
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const renameRef = useRef<HTMLButtonElement>(null)
  const forgetRef = useRef<HTMLButtonElement>(null)
  const { id, address, name, last_sent_at } = sent

  const begin = (next: Act): void => {
    setState('idle')
    setAct(next)
  }
  const end = (): void => setAct(null)
  const ended = useRef<Act | null>(null)
  useEffect(() => {
    if (act === null && ended.current !== null) focusHere((ended.current === 'rename' ? renameRef : forgetRef).current)
    ended.current = act
  }, [act])
  const run = async (change: () => Promise<unknown>): Promise<boolean> => {
    setState('busy')
    try {
      await change()
      await cache.invalidateQueries({ queryKey: ADDRESS_LISTS })
      setState('idle')
      return true
    } catch {
      setState('failed')
      return false
    }
  }
  const rename = async (given: string): Promise<void> => {
    if (!(await run(() => nameAddress(client, id, given)))) return
    announce(later.t('withdraw.known.saved'))
    end()
  }
  const forget = async (): Promise<void> => {
    if (!(await run(() => forgetAddress(client, id)))) return
    announce(later.t('withdraw.known.forgotten'))
    onGone()
  }
  const label = name ?? address
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <button
        type="button"
        className="rounded-card px-3.5 pt-3 pb-2 text-start hover:bg-sunken"
        onClick={() => onChoose(address)}
      >
        {name !== null && (
          <bdi className="mb-0.5 block font-semibold [overflow-wrap:anywhere]" translate="no">
            {name}
          </bdi>
        )}
        <AddressText address={address} />
      </button>
      {act === null && (
        <div className="flex items-center gap-1 ps-3.5 pe-1 pb-1">
          <span className="min-w-0 grow text-s text-ink-2">
            {later.t('withdraw.known.last', { date: timeText(last_sent_at, 'day') })}
          </span>
          <Button
            ref={renameRef}
            variant="icon"
            aria-label={`${later.t('withdraw.known.rename')}: ${label}`}
            onClick={() => begin('rename')}
          >
            <Pencil aria-hidden size={17} />
          </Button>
          <Button
            ref={forgetRef}
            variant="icon"
            aria-label={`${later.t('withdraw.known.forget')}: ${label}`}
            onClick={() => begin('forget')}
          >
            <Trash aria-hidden size={17} />
          </Button>
        </div>
      )}
      {act === 'rename' && (
        <NameForm later={later} name={name ?? ''} state={state} onSave={(given) => void rename(given)} onBack={end} />
      )}
      {act === 'forget' && (
        <div
          className="grid gap-2 px-3.5 pb-3"
          role="group"
          aria-label={`${later.t('withdraw.known.forget')}: ${label}`}
        >
          <p className="text-s">{later.t('withdraw.known.forgetQuestion')}</p>
          {state === 'failed' && (
            <p role="alert" className="text-s text-bad">
              {later.t('withdraw.known.failed')}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button ref={focusHere} className="grow" onClick={end}>
              {later.t('withdraw.known.keep')}
            </Button>
            <Button className="grow" busy={state === 'busy'} onClick={() => void forget()}>
              {later.t('withdraw.known.forget')}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

function NameForm({
  later,
  name,
  state,
  onSave,
  onBack,
}: {
  readonly later: Translations<LaterKey>
  readonly name: string
  readonly state: 'idle' | 'busy' | 'failed'
  readonly onSave: (name: string) => void
  readonly onBack: () => void
}) {
  const { t } = useTranslations()
  const id = useId()
  const [typed, setTyped] = useState(name)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    // In React's tree the dialog is inside the form of the withdrawal, which would be submitted too.
    event.stopPropagation()
    if (state !== 'busy') onSave(typed.trim())
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-1 px-3.5 pb-3">
      <Field
        id={id}
        label={later.t('withdraw.known.name')}
        fault={state === 'failed' && later.t('withdraw.known.failed')}
      >
        <input
          id={id}
          ref={focusField}
          value={typed}
          maxLength={MOST_NAME_CHARACTERS}
          autoComplete="off"
          enterKeyHint="done"
          onChange={(event) => setTyped(event.target.value)}
          aria-describedby={`${id}-note`}
          className={fieldInput}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button className="grow" onClick={onBack}>
          {t('common.back')}
        </Button>
        <Button type="submit" variant="primary" className="grow" busy={state === 'busy'}>
          {later.t('withdraw.known.save')}
        </Button>
      </div>
    </form>
  )
}
