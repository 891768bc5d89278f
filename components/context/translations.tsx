'use client'

import { createContext, Fragment, use, useMemo, type ReactNode } from 'react'
import { formatDecimal } from '#lib/i18n/decimal-format.ts'
import { shortDecimal } from '#lib/i18n/short-decimal.ts'
import { createTranslator, type Catalogue, type MessageKey, type Values, type Wrap } from '#lib/i18n/translator.ts'

type RichNode = (children: ReactNode) => ReactNode

export interface Translations<Key extends string = MessageKey> extends Pick<Catalogue, 'locale' | 'marks'> {
  readonly t: (key: Key, values?: Values) => string
  /** A message with tags; `<b>` needs no value. */
  readonly rich: (key: Key, values?: Readonly<Record<string, string | number | RichNode>>) => ReactNode
  /** Formats a decimal string; keeps every digit. */
  readonly decimal: (value: string) => string
  /** Formats with at most eight decimals, for places where one press shows the exact amount. */
  readonly shortAmount: (value: string) => string
}

const TranslationsContext = createContext<Translations | null>(null)

export function TranslationsProvider({
  catalogue,
  children,
}: {
  readonly catalogue: Catalogue
  readonly children: ReactNode
}) {
  const translations = useMemo(() => createTranslations(catalogue), [catalogue])
  return <TranslationsContext value={translations}>{children}</TranslationsContext>
}

/** Messages and number format of the page's language. */
export function useTranslations(): Translations {
  const translations = use(TranslationsContext)
  if (!translations) throw new Error('useTranslations outside TranslationsProvider')
  return translations
}

const bold: RichNode = (children) => <b className="font-semibold">{children}</b>

/**
 * Puts each text into its own element: a browser's translator replaces text nodes, and React would update a lost node.
 */
const keyed = (nodes: readonly ReactNode[]): ReactNode =>
  nodes.map((node, index) =>
    typeof node === 'string' ? <span key={index}>{node}</span> : <Fragment key={index}>{node}</Fragment>,
  )

export function createTranslations<Key extends string>(
  catalogue: Parameters<typeof createTranslator<Key>>[0],
): Translations<Key> {
  const { locale, marks } = catalogue
  const translator = createTranslator(catalogue)
  return {
    locale,
    marks,
    t: translator.text,
    rich: (key, values = {}) => {
      const wrappedValues: Record<string, string | number | Wrap<ReactNode>> = {}
      for (const [name, value] of Object.entries({ b: bold, ...values })) {
        wrappedValues[name] = typeof value === 'function' ? (nodes) => value(keyed(nodes)) : value
      }
      return keyed(translator.rich(key, wrappedValues))
    },
    decimal: (value) => formatDecimal(value, marks),
    shortAmount: (value) => {
      const short = shortDecimal(value)
      const digits = formatDecimal(short.value, marks)
      return short.mark === '<' ? `<${digits}` : `${digits}${short.mark}`
    },
  }
}
