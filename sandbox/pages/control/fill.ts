import { element } from '../element.ts'
import { control } from './api.ts'
import { actionButton, field, namedSelect } from './parts.ts'
import type { RunAction } from './run-action.ts'
import { subject } from './subject.ts'

const COUNTS = ['1', '10', '50', '250', '1000'].map((count) => [count, count] as const)
const KINDS = [
  ['', 'both'],
  ['Deposit', 'deposits'],
  ['Payout', 'withdrawals'],
] as const
const EVERY = [
  ['60000', 'a minute'],
  ['3600000', 'an hour'],
  ['86400000', 'a day'],
] as const

/** Creates completed transactions of the user. */
export function fillPanel(act: RunAction): Node {
  const count = namedSelect(COUNTS, '50')
  const kind = namedSelect(KINDS, '')
  const every = namedSelect(EVERY, '3600000')
  const fill = (): void => {
    const body = {
      user_reference: subject(),
      count: Number(count.value),
      every_ms: Number(every.value),
      ...(kind.value === '' ? {} : { type: kind.value }),
    }
    act(`${count.value} transactions were added for ${subject()}.`, () => control('POST', '/transactions/seed', body))
  }
  return element(
    'div',
    { class: 'form' },
    element('div', { class: 'three' }, field('How many', count), field('Kind', kind), field('One every', every)),
    element('div', { class: 'buttons' }, actionButton('Fill the history', fill, 'primary')),
  )
}
