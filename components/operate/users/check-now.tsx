'use client'

import { useState, type ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Notice, Pill } from '#components/ui/tone.tsx'
import { checkUser, type EndedCheck } from '#lib/browser/operate/users.ts'
import type { UserTotals, UserView } from '#lib/contract/operate/users.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { ConsoleLink } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { Nothing, Panel } from './panel.tsx'

/** The books beside what the gateway's list says, as last compared; an agent compares them now. */
export function CheckNow({ user, onChecked }: { readonly user: UserView; readonly onChecked: () => void }) {
  const { t } = useConsoleText()
  const { role } = useOperator()
  const client = useConsoleClient()
  const [open, setOpen] = useState(false)
  const [checked, setChecked] = useState<EndedCheck | null>(null)
  const [readAt, setReadAt] = useState<string | null>(null)
  const act = async (reason: string): Promise<void> => {
    const ended = await checkUser(client, user.user_reference_id, reason)
    setChecked(ended)
    if (ended.failure === null) setReadAt(new Date().toISOString())
    onChecked()
  }
  const wasCompared = readAt !== null || user.totals.checked_at !== null
  const totals = checked?.failure === null ? checked.currencies : user.totals.currencies
  return (
    <Panel
      title={t('users.totals')}
      actions={
        mayActAs(role, 'agent') && (
          <Button variant="chip" onClick={() => setOpen(true)}>
            {t('users.checkNow')}
          </Button>
        )
      }
    >
      <ListState user={user} readAt={readAt} />
      <div role="status" className="grid gap-2">
        {checked !== null && <Outcome checked={checked} />}
      </div>
      {totals.length === 0 ? (
        <Nothing>{t(wasCompared ? 'users.nothingToCompare' : 'users.noTotals')}</Nothing>
      ) : (
        <ul className="mt-2 grid gap-2.5">
          {totals.map((one) => (
            <Totals key={one.currency_id} totals={one} />
          ))}
        </ul>
      )}
      <ReasonDialog
        open={open}
        title={t('users.checkNow')}
        act={t('users.checkNow')}
        onAct={act}
        onClose={() => setOpen(false)}
      >
        <p className="text-s text-ink-2">{t('users.checkNowHelp')}</p>
      </ReasonDialog>
    </Panel>
  )
}

/** The later of two ISO times, each null if there is none. */
const latest = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && Date.parse(other) > Date.parse(one)) ? other : one

/** @param props.readAt when this page had the whole list read, which the stored time does not count */
function ListState({ user: { list, totals }, readAt }: { readonly user: UserView; readonly readAt: string | null }) {
  const { t } = useConsoleText()
  const lines: readonly (readonly [text: string, at: string | null, future?: true])[] = [
    [t('users.totalsAt'), latest(totals.checked_at, readAt)],
    [t('users.listWholeAt'), latest(list.whole_at, readAt)],
    [t('users.listNextAt'), list.next_at, true],
    [t('users.listUnreadable'), list.unreadable_since],
  ]
  return (
    <div className="grid gap-0.5 text-ink-2">
      {list.is_unchecked && (
        <Notice tone="bad">
          <p>{t('users.unchecked')}</p>
        </Notice>
      )}
      {lines.map(
        ([text, at, future]) =>
          at !== null && (
            <p key={text}>
              {text} <TimeText iso={at} future={future === true} />
            </p>
          ),
      )}
    </div>
  )
}

function Outcome({ checked }: { readonly checked: EndedCheck }) {
  const { t } = useConsoleText()
  if (checked.failure !== null)
    return (
      <Notice tone="bad">
        <p className="font-semibold">{t('users.checkFailed')}</p>
        <p>{checked.failure}</p>
      </Notice>
    )
  const differs = checked.currencies.some(({ transactions }) => transactions.length > 0)
  return (
    <Notice tone={differs || checked.open_payouts.length > 0 ? 'bad' : 'ok'}>
      <p>{t(differs ? 'users.checkDiffers' : 'users.checkAgrees')}</p>
      {checked.open_payouts.map((uuid) => (
        <p key={uuid}>
          {t('users.openPayout')}{' '}
          <ConsoleLink href={recordHref('payouts', uuid)} className="text-accent underline underline-offset-2">
            {uuid}
          </ConsoleLink>
        </p>
      ))}
    </Notice>
  )
}

function Totals({ totals }: { readonly totals: UserTotals }) {
  const { t } = useConsoleText()
  const { currency_code, network, gateway, ledger, difference, transactions } = totals
  const isSame = transactions.length === 0
  return (
    <li className="border-t border-line pt-2.5 first:border-t-0 first:pt-0">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-semibold">
          {currency_code} <span className="text-xs font-normal text-ink-3">{network}</span>
        </span>
        <Pill tone={isSame ? 'ok' : 'bad'}>{t(isSame ? 'users.totalsAgree' : 'users.totalsDiffer')}</Pill>
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <Line name={t('users.byGateway')}>
          <AmountText amount={gateway} code={currency_code} />
        </Line>
        <Line name={t('users.byBooks')}>
          <AmountText amount={ledger} code={currency_code} />
        </Line>
        {!isSame && (
          <Line name={t('users.difference')}>
            <b className="text-bad">
              <AmountText amount={difference} code={currency_code} />
            </b>
          </Line>
        )}
      </dl>
      {transactions.map((one) => (
        <p key={`${one.transaction_uuid ?? ''} ${one.withdrawal_id ?? ''}`} className="mt-1">
          <DifferingId transaction={one} />{' '}
          <span className="text-ink-2">{t('users.differing', { gateway: one.gateway, ledger: one.ledger })}</span>
        </p>
      ))}
    </li>
  )
}

function DifferingId({ transaction }: { readonly transaction: UserTotals['transactions'][number] }) {
  const { t } = useConsoleText()
  const { kind, transaction_uuid: uuid, withdrawal_id: withdrawal } = transaction
  if (uuid !== null) return <LinkedId id={uuid} name={t(`story.kind.${kind}`)} page="transactions" />
  if (withdrawal === null) return t(`story.kind.${kind}`)
  return <LinkedId id={withdrawal} name={t('story.kind.withdrawal')} page="withdrawals" />
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-end">{children}</dd>
    </>
  )
}
