import type { QuarantineLine } from './rows.ts'

type Told = Pick<QuarantineLine, 'reason' | 'transaction_uuid' | 'event'>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** Status, amount and currency in a record of the list, or in a webhook. */
function saidIn(message: unknown): readonly unknown[] {
  const said = fieldOf(message, 'transaction') ?? message
  const currency = fieldOf(said, 'currency')
  const names = ['id', 'code', 'network'].map((name) => fieldOf(currency, name))
  return [fieldOf(said, 'status'), fieldOf(said, 'amount'), ...names]
}

function parsed(event: string): unknown {
  try {
    return JSON.parse(event)
  } catch {
    return null
  }
}

/**
 * What a contradiction is about: a record that is missing, a reply, too much, too little, or a message with this
 * status, amount and currency. A payout whose reply differed may come back later, and a person must be told of both.
 */
function topicOf(event: string): string {
  const told = parsed(event)
  if (!isObject(told)) return ''
  const { stands, message = told } = told
  const isExcess = fieldOf(stands, 'paid_amount') !== undefined
  return JSON.stringify(['replied' in told, 'missing' in told, 'less' in told, isExcess, ...saidIn(message)])
}

/** Under which key a quarantine line about a user's list stands, in place of a `transaction_uuid`. */
export const listKey = (user: string): string => `list ${user}`

/** How the event of a line ends that tells what the list says of a conflict now, after it had said something else. */
export const CHANGED = ',"changed":true}'

/** How the event of a line ends that tells of a payout which is under way again after it had failed. */
export const UNDER_WAY = ',"under_way":true}'

/** A webhook and the list write one conflict in two ways: both are one line. */
const isChange = ({ reason, event }: Told): boolean => reason === 'list_conflict' && event.endsWith(CHANGED)

/** Lines with the same key say the same: the second is not added while the first is open. */
export const lineKey = (told: Told): string =>
  `${told.reason} ${told.transaction_uuid ?? ''} ${told.reason === 'contradiction' || isChange(told) ? topicOf(told.event) : ''}`
