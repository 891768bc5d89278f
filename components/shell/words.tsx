'use client'

import { createContext, Fragment, use, useMemo, type ReactNode } from 'react'
import { formatDecimal } from '#lib/i18n/decimal-format.ts'
import { createTranslator, type Catalogue, type MessageKey, type Values, type Wrap } from '#lib/i18n/translator.ts'

type RichNode = (children: ReactNode) => ReactNode

export interface Words extends Pick<Catalogue, 'locale' | 'marks'> {
  readonly t: (key: MessageKey, values?: Values) => string
  /** A message with tags; `<b>` needs no value of its own. */
  readonly rich: (key: MessageKey, values?: Readonly<Record<string, string | number | RichNode>>) => ReactNode
  /** A decimal string in this language, each digit kept. */
  readonly decimal: (value: string) => string
}

const WordsContext = createContext<Words | null>(null)

export function WordsProvider({
  catalogue,
  children,
}: {
  readonly catalogue: Catalogue
  readonly children: ReactNode
}) {
  const words = useMemo(() => wordsOf(catalogue), [catalogue])
  return <WordsContext value={words}>{children}</WordsContext>
}

/** The page's language: its messages and its numbers. */
export function useWords(): Words {
  const words = use(WordsContext)
  if (!words) throw new Error('useWords outside WordsProvider')
  return words
}

const bold: RichNode = (children) => <b className="font-semibold">{children}</b>

const keyed = (nodes: readonly ReactNode[]): ReactNode =>
  nodes.map((node, index) => <Fragment key={index}>{node}</Fragment>)

function wordsOf(catalogue: Catalogue): Words {
  const { locale, marks } = catalogue
  const translator = createTranslator(catalogue)
  return {
    locale,
    marks,
    t: translator.text,
    rich: (key, values = {}) => {
      const wrapped: Record<string, string | number | Wrap<ReactNode>> = {}
      for (const [name, value] of Object.entries({ b: bold, ...values })) {
        wrapped[name] = typeof value === 'function' ? (nodes) => value(keyed(nodes)) : value
      }
      return keyed(translator.rich(key, wrapped))
    },
    decimal: (value) => formatDecimal(value, marks),
  }
}
