import type { Overview } from '../../control/overview.ts'
import { FAULT_GROUPS, faultWords } from '../../faults/fault-words.ts'
import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { actionButton, field, namedSelect, selectField } from './parts.ts'
import { subject } from './subject.ts'

type Fault = Overview['faults'][number]
type Target = keyof Overview['fault_kinds']

const TARGET_WORDS: Readonly<Record<Target, string>> = {
  currencies: 'the list of currencies',
  merchant_transactions: 'the list of all transactions',
  deposit_address: 'a deposit address',
  link_external_wallet: 'the link for an external wallet',
  withdraw: 'a withdrawal',
  user_transactions: "a user's list",
  payments: 'a purchase',
  onramp_url: 'a purchase (legacy)',
  '*': 'every call',
  webhooks: 'a webhook',
}

const isTarget = (name: string): name is Target => Object.hasOwn(TARGET_WORDS, name)

const left = ({ remaining, used }: Fault): string => {
  const count = used === 1 ? 'once' : `${String(used)} times`
  return remaining === null ? `always, used ${count}` : `${String(remaining)} left, used ${count}`
}

/** The kinds that a target can have, in their groups. */
function kindSelect(kinds: readonly string[]): HTMLSelectElement {
  const groups = FAULT_GROUPS.map(([title, named]) => {
    const own = Object.entries(named).filter(([kind]) => kinds.includes(kind))
    return own.length === 0
      ? null
      : element('optgroup', { label: title }, ...own.map(([value, words]) => element('option', { value }, words)))
  })
  return element('select', {}, ...groups)
}

/** The form for a new fault. It is rendered once, so that its choices stay while the list changes. */
export function newFaultPanel({ fault_kinds }: Overview, act: RunAction): Node {
  const target = namedSelect(Object.entries(TARGET_WORDS), 'withdraw')
  const kinds = element('div', {})
  const times = selectField(['1', '2', '3', '10', 'always'])
  const whose = namedSelect([
    ['user', 'the user of the page'],
    ['', 'everybody'],
  ])
  let kind = selectField([])

  function showKinds(): void {
    kind = kindSelect(isTarget(target.value) ? fault_kinds[target.value] : [])
    kinds.replaceChildren(field('What goes wrong', kind))
    // The list of currencies belongs to no user.
    if (target.value === 'currencies') whose.value = ''
    whose.disabled = target.value === 'currencies'
  }
  target.addEventListener('change', showKinds)
  showKinds()

  const set = (): void => {
    const match = whose.value === '' ? {} : { user_reference: subject() }
    const count = times.value === 'always' ? 'always' : Number(times.value)
    act('The fault is set.', () =>
      control('POST', '/faults', { target: target.value, kind: kind.value, times: count, match }),
    )
  }
  return element(
    'div',
    { class: 'form' },
    element('div', { class: 'pair' }, field('Where', target), kinds),
    element('div', { class: 'pair' }, field('How often', times), field('Whose', whose)),
    element('div', { class: 'buttons' }, actionButton('Set the fault', set, 'primary')),
  )
}

export function faultsList(faults: readonly Fault[], act: RunAction): Node {
  const remove = (path: string): void => act('Removed.', () => control('DELETE', path))
  return element(
    'ul',
    { class: 'items' },
    ...faults.map((fault) =>
      element(
        'li',
        { class: 'item line', 'data-key': String(fault.id) },
        element(
          'span',
          {},
          element(
            'b',
            {},
            `${isTarget(fault.target) ? TARGET_WORDS[fault.target] : fault.target}: ${faultWords(fault.kind)}`,
          ),
          element(
            'span',
            { class: 'muted small block' },
            [Object.values(fault.match_json).join(', ') || 'everybody', left(fault)].join(' · '),
          ),
        ),
        actionButton('Remove', () => remove(`/faults/${String(fault.id)}`)),
      ),
    ),
    faults.length > 1 &&
      element(
        'li',
        { class: 'item' },
        actionButton('Remove all', () => remove('/faults')),
      ),
  )
}

/** Number of faults that can still happen. */
export const waitingFaults = ({ faults }: Overview): number => faults.filter(({ remaining }) => remaining !== 0).length
