import type { MAGIC_WORDS } from '../../faults/magic-words.ts'
import { element } from '../element.ts'
import { control } from './api.ts'
import { choiceButton, field, selectField } from './parts.ts'
import type { RunAction } from './run-action.ts'

interface Magic {
  readonly addresses: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly words: typeof MAGIC_WORDS
}

const WHOLE_PART = '5'

export const fetchMagic = async (): Promise<Magic> => (await control('GET', '/magic')) as Magic

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser could not copy. The text is: ${text}`)
  }
}

const wordsOf = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name

/** Shows every value on a button that copies it. */
export function magicPanel({ addresses, words }: Magic, act: RunAction): Node {
  const value = (text: string, effect: string): HTMLElement =>
    choiceButton(text, effect, () => act(`${text} is copied.`, () => copy(text)), 'value')
  const list = (values: readonly (readonly [text: string, effect: string])[], width = ''): HTMLElement =>
    element('div', { class: `choices ${width}` }, ...values.map(([text, effect]) => value(text, effect)))

  const network = selectField(Object.keys(addresses), 'Tron')
  const ofNetwork = element('div', {})
  const showAddresses = (): void => {
    const values = Object.entries(addresses[network.value] ?? {})
    ofNetwork.replaceChildren(list(values.map(([kind, text]) => [text, wordsOf(words.addresses, kind)] as const)))
  }
  network.addEventListener('change', showAddresses)
  showAddresses()
  return element(
    'div',
    { class: 'form' },
    element('h3', {}, 'Amounts of a withdrawal'),
    element('p', { class: 'muted small' }, 'Any digits may stand before the point.'),
    list(
      Object.entries(words.amounts).map(([digits, effect]) => [`${WHOLE_PART}.${digits}`, effect] as const),
      'narrow',
    ),
    element('h3', {}, 'Addresses of a withdrawal'),
    field('Network', network),
    ofNetwork,
    element('h3', {}, 'Users whose transaction list'),
    list(Object.entries(words.users), 'narrow'),
  )
}
