/** The filters of the console's lists: text of a query that is read into values. */
import * as z from 'zod/mini'
import { amountFault } from '../money.ts'
import { decimalField, textField } from '../request-fields.ts'

/** Some of these values, with commas between them. */
export const severalOf = <const V extends string>(values: readonly V[]) => {
  const error = `must be one or more of ${values.join(', ')}, with commas between them`
  const isValue = (text: string): text is V => (values as readonly string[]).includes(text)
  return z.pipe(
    textField(1000, 1),
    z.transform((given: string, context): readonly V[] => {
      const parts = [...new Set(given.split(','))]
      if (parts.every(isValue)) return parts
      context.issues.push({ code: 'custom', message: error, input: given })
      return z.NEVER
    }),
  )
}

export const choiceOf = <const V extends string>(values: readonly V[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

const isBound = (text: string): boolean => [null, 'not_positive'].includes(amountFault(text))

/** An amount of zero or more. */
export const amountBound = decimalField(isBound, 'must be decimal text such as "12.5", zero or more')

export interface ListSort<By extends string = string> {
  readonly by: By
  readonly descending: boolean
}

/** A column to sort by; with a minus before it in descending order. */
export const sortField = <const V extends string>(columns: readonly V[]) => {
  const error = `must be one of ${columns.flatMap((column) => [column, `-${column}`]).join(', ')}`
  return z.pipe(
    z.string({ error }),
    z.transform((given: string, context): ListSort<V> => {
      const descending = given.startsWith('-')
      const by = columns.find((column) => column === given.slice(descending ? 1 : 0))
      if (by !== undefined) return { by, descending }
      context.issues.push({ code: 'custom', message: error, input: given })
      return z.NEVER
    }),
  )
}
