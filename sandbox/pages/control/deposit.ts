import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { selectField, field, actionButton, shortened } from './parts.ts'
import { subject } from './subject.ts'

const OTHER = 'other'

/** The last input, so that a new rendering does not lose it. */
const lastInput = { amount: '25', currency: '', target: '' }

/** The smallest unit of a currency, for a deposit below every minimum. */
const smallest = (decimals: number): string => (decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`)

/** A deposit to an existing address, or to the user in any currency. */
export function depositPanel({ addresses, currencies }: Overview, act: RunAction): Node {
  const target = element(
    'select',
    { change: show },
    ...addresses.map(({ address, user, currency, network }) =>
      element(
        'option',
        { value: address, selected: address === lastInput.target },
        `${user}: ${currency} on ${network}, ${shortened(address)}`,
      ),
    ),
    element('option', { value: OTHER, selected: lastInput.target === OTHER }, `Another currency of ${subject()}`),
  )
  const currency = selectField(
    currencies.map(({ code, network }) => `${code} on ${network}`),
    lastInput.currency,
  )
  const amount = element('input', { value: lastInput.amount, inputmode: 'decimal', autocomplete: 'off' })
  const others = field('Currency', currency)

  const remember = (): void => {
    Object.assign(lastInput, { amount: amount.value, currency: currency.value, target: target.value })
  }
  for (const input of [amount, currency, target]) input.addEventListener('input', remember)

  function show(): void {
    others.hidden = target.value !== OTHER
  }
  const chosen = () =>
    target.value === OTHER
      ? currencies[currency.selectedIndex]
      : addresses.find(({ address }) => address === target.value)

  const send = (said: string, sum: string, confirm: boolean): void => {
    const where =
      target.value === OTHER
        ? { user_reference: subject(), currency_id: currencies[currency.selectedIndex]?.id }
        : { address: target.value }
    act(said, () => control('POST', '/deposits', { ...where, amount: sum, confirm }))
  }
  show()
  return element(
    'div',
    { class: 'form' },
    element('div', { class: 'target' }, field('To', target), others, field('Amount', amount)),
    element(
      'div',
      { class: 'buttons' },
      actionButton('Detect', () => send('The deposit is detected.', amount.value.trim(), false), 'primary'),
      actionButton('Detect and confirm', () => send('The deposit is confirmed.', amount.value.trim(), true)),
      actionButton('Smallest unit', () =>
        send('A very small deposit is detected.', smallest(chosen()?.decimals ?? 8), false),
      ),
    ),
  )
}
