import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { selectField, field, actionButton } from './parts.ts'

type Mode = Overview['modes'][number]

const shown = ({ value }: Mode): string =>
  value === null ? 'off' : typeof value === 'string' ? value : JSON.stringify(value)

/** Amounts are texts; all other input is JSON. */
const TEXTS: readonly string[] = ['approval_above']

function typed(name: string, text: string): unknown {
  if (text === 'off') return null
  if (TEXTS.includes(name)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function one(mode: Mode, act: RunAction): HTMLElement {
  const { name, about, choices, value } = mode
  const label = name.replaceAll('_', ' ')
  const hint = element('small', {}, about)
  const change = (text: string, value: unknown): void =>
    act(`${label} is ${text}.`, () => control('PATCH', '/modes', { [name]: value }))
  if (choices !== null) {
    const select = selectField(choices, shown(mode))
    select.addEventListener('change', () =>
      change(select.value, typeof value === 'boolean' ? select.value === 'true' : select.value),
    )
    return element('div', { class: 'mode' }, field(label, select), hint)
  }
  const input = element('input', { value: shown(mode), autocomplete: 'off', spellcheck: 'false' })
  const set = actionButton('Set', () => change(input.value, typed(name, input.value.trim())))
  return element('div', { class: 'mode' }, field(label, input), set, hint)
}

function merchants(seen: Overview, act: RunAction): readonly Node[] {
  return seen.merchants.map(({ id, webhook_url, allow_custom_external_wallet: allowed }) => {
    const url = element('input', { value: webhook_url ?? '', type: 'url', autocomplete: 'off' })
    const change = (successMessage: string, changes: object): void =>
      act(successMessage, () => control('PATCH', `/merchants/${id}`, changes))
    return element(
      'div',
      {},
      element('h3', {}, `Merchant ${id}`),
      element(
        'div',
        { class: 'mode' },
        field('Webhook URL', url),
        actionButton('Set', () =>
          change('The webhook URL is changed.', { webhook_url: url.value.trim() === '' ? null : url.value.trim() }),
        ),
      ),
      actionButton(allowed ? 'Forbid custom wallets' : 'Allow custom wallets', () =>
        change(allowed ? 'Custom wallets are forbidden.' : 'Custom wallets are allowed.', {
          allow_custom_external_wallet: !allowed,
        }),
      ),
    )
  })
}

export const modesPanel = (seen: Overview, act: RunAction): Node =>
  element('div', { class: 'form' }, ...seen.modes.map((mode) => one(mode, act)), ...merchants(seen, act))
