import { asNumberText } from './decimal.ts'

interface JsonWithRawNumbers {
  rawJSON(text: string): object
}

/**
 * A decimal text as a JSON number that keeps every digit when it is stringified
 * (`JSON.rawJSON` is in the run-time, not yet in TypeScript's library).
 */
export const jsonNumber = (decimal: string): object =>
  (JSON as unknown as JsonWithRawNumbers).rawJSON(asNumberText(decimal))

export const jsonNumberOrNull = (decimal: string | null): object | null =>
  decimal === null ? null : jsonNumber(decimal)
