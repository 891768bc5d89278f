import { isDispute, type QuarantineLine } from './rows.ts'

type Told = Pick<QuarantineLine, 'reason' | 'transaction_uuid' | 'event'>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** The status in a record of the list, or in a webhook. */
const statusIn = (message: unknown): unknown => fieldOf(fieldOf(message, 'transaction') ?? message, 'status')

/**
 * What a dispute is about: a record that is missing, a reply, another amount, or a message with this status. A payout
 * whose reply differed may come back later, and a person must be told of both.
 */
function topicOf(event: string): string {
  const told: unknown = JSON.parse(event)
  if (!isObject(told)) return ''
  const { stands, message = told } = told
  const isAboutAmount = fieldOf(stands, 'paid_amount') !== undefined
  return JSON.stringify(['replied' in told, 'missing' in told, isAboutAmount, statusIn(message)])
}

/** Lines with the same key say the same: the second is not added while the first is open. */
export const lineKey = ({ reason, transaction_uuid, event }: Told): string =>
  `${reason} ${transaction_uuid ?? ''} ${isDispute(reason) ? topicOf(event) : ''}`
