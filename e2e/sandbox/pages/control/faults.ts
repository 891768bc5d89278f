import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { Act } from './act.ts'
import { control } from './api.ts'
import { choice, field, press } from './show.ts'

type Fault = Overview['faults'][number]

const left = ({ remaining, used }: Fault): string =>
  remaining === null ? `always, ${String(used)} so far` : `${String(remaining)} to come, ${String(used)} so far`

function setFault({ operations, fault_kinds }: Overview, act: Act): Node {
  const target = choice(['webhooks', ...operations, '*'], 'withdraw')
  const kinds = element('div', {})
  const times = choice(['1', '2', '3', '10', 'always'])
  const user = element('input', { placeholder: 'any', autocomplete: 'off' })
  let kind = choice([])

  function showKinds(): void {
    kind = choice(target.value === 'webhooks' ? fault_kinds.webhooks : fault_kinds.operations)
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
    element('div', { class: 'buttons' }, press('Set the fault', set, 'primary')),
  )
}

function list(faults: readonly Fault[], act: Act): Node {
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
        press('Remove', () => remove(`/faults/${String(fault.id)}`)),
      ),
    ),
  )
}

export const faultsPanel = (seen: Overview, act: Act): Node =>
  element('div', {}, list(seen.faults, act), setFault(seen, act))
