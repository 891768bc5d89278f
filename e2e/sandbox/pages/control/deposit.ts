import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { Act } from './act.ts'
import { control } from './api.ts'
import { choice, field, press, shortened } from './show.ts'

const OTHER = 'other'

const kept = { user: 'user_1', amount: '25', currency: '', target: '' }

/** The smallest unit of a currency: a deposit smaller than anybody expects. */
const smallest = (decimals: number): string => (decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`)

/** Sends to an address that was given out, or to any user and currency. */
export function depositPanel({ addresses, currencies }: Overview, act: Act): Node {
  const target = element(
    'select',
    { change: show },
    ...addresses.map(({ address, user, currency, network }) =>
      element(
        'option',
        { value: address, selected: address === kept.target },
        `${user}: ${currency} on ${network}, ${shortened(address)}`,
      ),
    ),
    element('option', { value: OTHER, selected: kept.target === OTHER }, 'Another user or currency'),
  )
  const user = element('input', { value: kept.user, autocomplete: 'off', spellcheck: 'false' })
  const currency = choice(
    currencies.map(({ code, network }) => `${code} on ${network}`),
    kept.currency,
  )
  const amount = element('input', { value: kept.amount, inputmode: 'decimal', autocomplete: 'off' })
  const others = element('div', { class: 'pair' }, field('User reference', user), field('Currency', currency))

  function show(): void {
    others.hidden = target.value !== OTHER
  }
  const chosen = () =>
    target.value === OTHER
      ? currencies[currency.selectedIndex]
      : addresses.find(({ address }) => address === target.value)

  const send = (said: string, sum: string, confirm: boolean): void => {
    Object.assign(kept, { user: user.value, amount: amount.value, currency: currency.value, target: target.value })
    const where =
      target.value === OTHER
        ? { user_reference: user.value.trim(), currency_id: currencies[currency.selectedIndex]?.id }
        : { address: target.value }
    act(said, () => control('POST', '/deposits', { ...where, amount: sum, confirm }))
  }
  show()
  return element(
    'div',
    { class: 'form' },
    field('To', target),
    others,
    field('Amount', amount),
    element(
      'div',
      { class: 'buttons' },
      press('Detect', () => send('The deposit is detected.', amount.value.trim(), false), 'primary'),
      press('Detect and confirm', () => send('The deposit is confirmed.', amount.value.trim(), true)),
      press('Smallest unit', () => send('A very small deposit is detected.', smallest(chosen()?.decimals ?? 8), false)),
    ),
  )
}
