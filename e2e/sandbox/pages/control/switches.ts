import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { Act } from './act.ts'
import { control } from './api.ts'
import { choice, field, press } from './show.ts'

type Mode = Overview['modes'][number]

const shown = ({ value }: Mode): string =>
  value === null ? 'off' : typeof value === 'string' ? value : JSON.stringify(value)

/** Amounts are texts; everything else that is typed is JSON. */
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

function one(mode: Mode, act: Act): HTMLElement {
  const { name, about, choices, value } = mode
  const words = name.replaceAll('_', ' ')
  const hint = element('small', {}, about)
  const turn = (text: string, to: unknown): void =>
    act(`${words} is ${text}.`, () => control('PATCH', '/modes', { [name]: to }))
  if (choices !== null) {
    const select = choice(choices, shown(mode))
    select.addEventListener('change', () =>
      turn(select.value, typeof value === 'boolean' ? select.value === 'true' : select.value),
    )
    return element('div', { class: 'switch' }, field(words, select), hint)
  }
  const input = element('input', { value: shown(mode), autocomplete: 'off', spellcheck: 'false' })
  const set = press('Set', () => turn(input.value, typed(name, input.value.trim())))
  return element('div', { class: 'switch' }, field(words, input), set, hint)
}

function merchants(seen: Overview, act: Act): readonly Node[] {
  return seen.merchants.map(({ id, webhook_url, allow_custom_external_wallet: allowed }) => {
    const url = element('input', { value: webhook_url ?? '', type: 'url', autocomplete: 'off' })
    const change = (said: string, changes: object): void =>
      act(said, () => control('PATCH', `/merchants/${id}`, changes))
    return element(
      'div',
      {},
      element('h3', {}, `Merchant ${id}`),
      element(
        'div',
        { class: 'switch' },
        field('Webhook URL', url),
        press('Set', () =>
          change('Webhooks go there now.', { webhook_url: url.value.trim() === '' ? null : url.value.trim() }),
        ),
      ),
      press(allowed ? 'Forbid custom wallets' : 'Allow custom wallets', () =>
        change(allowed ? 'Custom wallets are forbidden.' : 'Custom wallets are allowed.', {
          allow_custom_external_wallet: !allowed,
        }),
      ),
    )
  })
}

export const switchesPanel = (seen: Overview, act: Act): Node =>
  element('div', { class: 'form' }, ...seen.modes.map((mode) => one(mode, act)), ...merchants(seen, act))
