import type { Item } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { emptyNote, pill, actionButton, shortened, time } from './parts.ts'

const TITLES: Readonly<Record<Item['kind'], string>> = { deposit: 'Deposit', payout: 'Payout', onramp: 'On-ramp' }

interface Step {
  readonly text: string
  readonly path: string
  readonly successMessage: string
  readonly look?: string
}

const deposit = (verb: string): string => `/deposits/:name/${verb}`
const payout = (verb: string): string => `/withdrawals/:name/${verb}`
const onramp = (status: string): string => `/onramp-sessions/:name/${status}`

const FAIL_ONRAMP: Step = { text: 'Fail', path: onramp('failed'), successMessage: 'The session failed.' }

/** The possible steps in each state. */
const STEPS: Readonly<Record<string, readonly Step[]>> = {
  'deposit TXN_NEW': [
    { text: 'Confirm', path: deposit('confirm'), successMessage: 'The deposit is confirmed.', look: 'primary' },
    { text: 'Fail', path: deposit('fail'), successMessage: 'The deposit failed.' },
  ],
  'payout TXN_AWAITING_APPROVAL': [
    { text: 'Approve', path: payout('approve'), successMessage: 'The payout is approved.', look: 'primary' },
    { text: 'Refuse', path: payout('fail'), successMessage: 'The payout is refused.' },
  ],
  'payout TXN_NEW': [
    { text: 'Complete', path: payout('complete'), successMessage: 'The payout is complete.', look: 'primary' },
    { text: 'Fail', path: payout('fail'), successMessage: 'The payout failed.' },
  ],
  'onramp created': [
    { text: 'Pick up', path: onramp('pending'), successMessage: 'The session is pending.', look: 'primary' },
    { text: 'Pay', path: onramp('processing'), successMessage: 'The payment is accepted.' },
    FAIL_ONRAMP,
  ],
  'onramp pending': [
    { text: 'Pay', path: onramp('processing'), successMessage: 'The payment is accepted.', look: 'primary' },
    FAIL_ONRAMP,
  ],
  'onramp processing': [
    { text: 'Deliver', path: onramp('succeeded'), successMessage: 'The crypto is delivered.', look: 'primary' },
    FAIL_ONRAMP,
  ],
}

function card(item: Item, buttons: readonly Node[]): HTMLElement {
  const sum = [item.amount, item.currency].filter((part) => part !== '').join(' ')
  return element(
    'li',
    { class: 'item', 'data-key': item.name },
    element(
      'div',
      { class: 'line' },
      element(
        'div',
        { class: 'named' },
        element('img', { src: `/icons/${encodeURIComponent(item.currency)}.svg`, alt: '', width: '24', height: '24' }),
        element('b', { class: 'sum' }, `${TITLES[item.kind]} ${sum}`),
      ),
      pill(item.status),
    ),
    element(
      'p',
      { class: 'muted small' },
      [item.user ?? 'no user', item.network, shortened(item.detail), time(item.at)].join(' · '),
    ),
    buttons.length > 0 && element('div', { class: 'buttons' }, ...buttons),
  )
}

export function openItems(items: readonly Item[], act: RunAction): Node {
  if (items.length === 0) return emptyNote('Nothing is waiting.')
  const buttons = (item: Item): readonly Node[] =>
    (STEPS[`${item.kind} ${item.status}`] ?? []).map(({ text, path, successMessage, look = '' }) =>
      actionButton(text, () => act(successMessage, () => control('POST', path.replace(':name', item.name))), look),
    )
  return element('ul', { class: 'items' }, ...items.map((item) => card(item, buttons(item))))
}

export const recentItems = (items: readonly Item[]): Node =>
  items.length === 0
    ? emptyNote('Nothing yet. Ask the cashier for a deposit address.')
    : element('ul', { class: 'items' }, ...items.map((item) => card(item, [])))
