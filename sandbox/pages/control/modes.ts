import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { actionButton, field, namedSelect } from './parts.ts'
import { readWait, waitText } from './waits.ts'

type Mode = Overview['mode_groups'][number]['modes'][number]

/** A value as the page shows it. */
function valueText({ isWait, choices }: Mode, value: Mode['value']): string {
  if (isWait) return waitText(value)
  const text = value === null ? 'off' : typeof value === 'string' ? value : JSON.stringify(value)
  return choices?.find((choice) => choice.value === text)?.label ?? text
}

/** The value of a text: a wait, a number, or the text (an amount, a choice). @throws Error with the allowed values */
function readValue({ isWait, usual, choices }: Mode, text: string): unknown {
  if (isWait) return readWait(text, Array.isArray(usual))
  if (choices !== null) return typeof usual === 'boolean' ? text === 'true' : text
  if (text === 'off') return null
  return typeof usual === 'number' && text !== '' ? Number(text) : text
}

const WAIT_HINT = 'off, or a wait such as 500 ms, 5 s, 2 min, 1 h'

/** The explanation below the label. */
const hintOf = ({ label, about, isWait }: Mode): string =>
  isWait && about.toLowerCase() === label.toLowerCase() ? WAIT_HINT : about

function one(mode: Mode, act: RunAction): HTMLElement {
  const { name, label, choices, value, usual, changed } = mode
  const set = (read: () => unknown): void =>
    act(`Changed: ${label.toLowerCase()}.`, async () => control('PATCH', '/modes', { [name]: read() }))
  const restore = actionButton(`Back to: ${valueText(mode, usual)}`, () => {
    set(() => usual)
  })
  const marks =
    changed && element('div', { class: 'changed' }, element('span', { class: 'pill unsure' }, 'changed'), restore)
  const hint = element('small', {}, hintOf(mode))
  if (choices !== null) {
    const values = choices.map((choice) => [choice.value, choice.label] as const)
    const select = namedSelect(values, String(value))
    select.addEventListener('change', () => {
      set(() => readValue(mode, select.value))
    })
    return element('div', { class: 'mode', 'data-key': name }, field(label, select), hint, marks)
  }
  const input = element('input', { value: valueText(mode, value), autocomplete: 'off', spellcheck: 'false' })
  const change = (): void => {
    input.defaultValue = input.value
    set(() => readValue(mode, input.value.trim()))
  }
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') change()
  })
  return element(
    'div',
    { class: 'mode', 'data-key': name },
    field(label, input),
    actionButton('Set', change),
    hint,
    marks,
  )
}

function merchants(seen: Overview, act: RunAction): readonly Node[] {
  return seen.merchants.map(({ id, webhook_url, allow_custom_external_wallet: allowed }) => {
    const url = element('input', { value: webhook_url ?? '', type: 'url', autocomplete: 'off' })
    const change = (successMessage: string, changes: object): void =>
      act(successMessage, () => control('PATCH', `/merchants/${id}`, changes))
    return element(
      'div',
      { class: 'group', 'data-key': id },
      element('h3', {}, `Merchant ${id}`),
      element(
        'div',
        { class: 'mode' },
        field('Webhook URL', url),
        actionButton('Set', () =>
          change('The webhook URL is changed.', { webhook_url: url.value.trim() === '' ? null : url.value.trim() }),
        ),
      ),
      element(
        'div',
        { class: 'buttons' },
        actionButton(allowed ? 'Forbid custom wallets' : 'Allow custom wallets', () =>
          change(allowed ? 'Custom wallets are forbidden.' : 'Custom wallets are allowed.', {
            allow_custom_external_wallet: !allowed,
          }),
        ),
      ),
    )
  })
}

/** Number of changed modes. */
export const changedModes = ({ mode_groups }: Overview): number =>
  mode_groups.flatMap(({ modes }) => modes).filter(({ changed }) => changed).length

export const modesPanel = (seen: Overview, act: RunAction): Node =>
  element(
    'div',
    {},
    ...seen.mode_groups.map(({ title, modes }) =>
      element(
        'fieldset',
        { class: 'group form' },
        element('legend', {}, title),
        ...modes.map((mode) => one(mode, act)),
      ),
    ),
    ...merchants(seen, act),
  )
