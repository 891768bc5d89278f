import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { selectField, field, actionButton } from './parts.ts'

type Fault = Overview['faults'][number]

const left = ({ remaining, used }: Fault): string =>
  remaining === null ? `always, used ${String(used)} times` : `${String(remaining)} left, used ${String(used)} times`

function setFault({ fault_kinds }: Overview, act: RunAction): Node {
  const target = selectField(Object.keys(fault_kinds), 'withdraw')
  const kinds = element('div', {})
  const times = selectField(['1', '2', '3', '10', 'always'])
  const user = element('input', { placeholder: 'any', autocomplete: 'off' })
  let kind = selectField([])

  function showKinds(): void {
    kind = selectField(fault_kinds[target.value as keyof typeof fault_kinds])
    kinds.replaceChildren(field('What goes wrong', kind))
  }
  target.addEventListener('change', showKinds)
  showKinds()

  const set = (): void => {
    const match = user.value.trim() === '' ? {} : { user_reference: user.value.trim() }
    const count = times.value === 'always' ? 'always' : Number(times.value)
    act('The fault is set.', () =>
      control('POST', '/faults', { target: target.value, kind: kind.value, times: count, match }),
    )
  }
  return element(
    'div',
    { class: 'form' },
    element('div', { class: 'pair' }, field('Where', target), kinds),
    element('div', { class: 'pair' }, field('How often', times), field('User reference', user)),
    element('div', { class: 'buttons' }, actionButton('Set the fault', set, 'primary')),
  )
}

function list(faults: readonly Fault[], act: RunAction): Node {
  const remove = (path: string): void => act('Removed.', () => control('DELETE', path))
  return element(
    'ul',
    { class: 'items' },
    ...faults.map((fault) =>
      element(
        'li',
        { class: 'item line' },
        element(
          'span',
          {},
          element('b', {}, `${fault.target}: ${fault.kind.replaceAll('_', ' ')}`),
          ` (${left(fault)})`,
        ),
        actionButton('Remove', () => remove(`/faults/${String(fault.id)}`)),
      ),
    ),
  )
}

export const faultsPanel = (seen: Overview, act: RunAction): Node =>
  element('div', {}, list(seen.faults, act), setFault(seen, act))
