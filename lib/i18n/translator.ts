/** Evaluates compiled messages with their values, on server and page. */
import type { Locale } from '#lib/contract/locales.ts'
import type { CompiledMessage, CompiledPiece } from './compiled-message.ts'
import { formatDecimal, type NumberMarks } from './decimal-format.ts'
import { intlTag, type Direction } from './intl-locale.ts'
import type source from './messages/en.json'
import type later from './messages/later/en.json'

export type MessageKey = keyof typeof source
/** A text of a part that is loaded later. */
export type LaterKey = keyof typeof later

/** The catalogue of one language as sent to the page. */
export interface Catalogue {
  readonly locale: Locale
  readonly direction: Direction
  readonly marks: NumberMarks
  readonly messages: Readonly<Record<MessageKey, CompiledMessage>>
}

/** The texts of parts that are loaded later, in one language. */
export interface LaterCatalogue extends Pick<Catalogue, 'locale' | 'marks'> {
  readonly messages: Readonly<Record<LaterKey, CompiledMessage>>
}

export type Values = Readonly<Record<string, string | number>>
/** They turn the direction of all text that follows. A name from the gateway may have them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** Renders a tag such as `<b>`. */
export type Wrap<Node> = (children: readonly (string | Node)[]) => Node
export type RichValues<Node> = Readonly<Record<string, string | number | Wrap<Node>>>

export interface Translator<Key extends string = MessageKey> {
  readonly locale: Locale
  /** The message as plain text, without tags. */
  readonly text: (key: Key, values?: Values) => string
  /** The message as a list of texts and of its rendered tags. */
  readonly rich: <Node>(key: Key, values: RichValues<Node>) => readonly (string | Node)[]
}

export function createTranslator<Key extends string>({
  locale,
  marks,
  messages,
}: Pick<Catalogue, 'locale' | 'marks'> & {
  readonly messages: Readonly<Record<Key, CompiledMessage>>
}): Translator<Key> {
  const rules = {
    cardinal: new Intl.PluralRules(intlTag(locale)),
    ordinal: new Intl.PluralRules(intlTag(locale), { type: 'ordinal' }),
  }

  const evaluate = <Node>(message: CompiledMessage, values: RichValues<Node>, count: number): (string | Node)[] =>
    typeof message === 'string' ? [message] : message.flatMap((piece) => evaluatePiece(piece, values, count))

  function evaluatePiece<Node>(piece: CompiledPiece, values: RichValues<Node>, count: number): (string | Node)[] {
    if (typeof piece === 'string') return [piece]
    if (piece[0] === '#') return [formatDecimal(String(count), marks)]
    const value = values[piece[1]]
    switch (piece[0]) {
      case 'value':
        return [typeof value === 'function' ? '' : String(value ?? '').replace(TURNS, '')]
      case 'select':
        return evaluate(piece[2][String(value)] ?? piece[2]['other'] ?? '', values, count)
      case 'plural': {
        const [, , type, offset, cases] = piece
        const number = Number(value) - offset
        const chosen = cases[`=${String(value)}`] ?? cases[rules[type].select(number)] ?? cases['other'] ?? ''
        return evaluate(chosen, values, number)
      }
      case 'tag': {
        const children = evaluate(piece[2], values, count)
        return typeof value === 'function' ? [value(children)] : children
      }
    }
  }

  return {
    locale,
    text: (key, values = {}) => evaluate<string>(messages[key], values, 0).join(''),
    rich: (key, values) => evaluate(messages[key], values, 0),
  }
}
