/** Compiles ICU messages on the server, so that the page needs no parser. */
import { parse, TYPE, type MessageFormatElement, type PluralElement } from '@formatjs/icu-messageformat-parser'
import type { CompiledMessage, CompiledPiece } from './compiled-message.ts'

/** @throws SyntaxError for an invalid message, and for number and date formats */
export function compileMessage(source: string): CompiledMessage {
  const pieces = compileAll(parse(source, { ignoreTag: false }))
  const [only] = pieces
  if (pieces.length === 0) return ''
  return pieces.length === 1 && typeof only === 'string' ? only : pieces
}

const compileAll = (elements: readonly MessageFormatElement[]): CompiledPiece[] => elements.map(compileElement)

const compileCases = (options: PluralElement['options']): Record<string, CompiledMessage> =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, compileAll(option.value)]))

function compileElement(element: MessageFormatElement): CompiledPiece {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.argument:
      return ['value', element.value]
    case TYPE.pound:
      return ['#']
    case TYPE.select:
      return ['select', element.value, compileCases(element.options)]
    case TYPE.plural:
      return ['plural', element.value, element.pluralType ?? 'cardinal', element.offset, compileCases(element.options)]
    case TYPE.tag:
      return ['tag', element.value, compileAll(element.children)]
    case TYPE.number:
    case TYPE.date:
    case TYPE.time:
      // A number format would convert amounts to binary numbers; callers pass formatted text.
      throw new SyntaxError(`{${element.value}} must be passed as formatted text, as a plain {${element.value}}`)
  }
}
