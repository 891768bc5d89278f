/**
 * Log lines about a database that fails: the first one of a cause at once, the others as one line each minute with
 * their number. Such a cause fails every request and every job, and a stack says nothing about it.
 */
import type { LogFn } from 'pino'
import { isGatewayError } from '../gateway/errors.ts'
import { storeFaultOf, type StoreFault } from '../store/database/store-fault.ts'

const MINUTE_MS = 60_000
/** Texts of causes can differ without end, by a port or a table. */
const MOST_CAUSES = 20

/** Of the database as a whole. A statement that fails, or is in conflict with another, may be a fault of ours. */
const OUTAGES: ReadonlySet<StoreFault | null> = new Set(['away', 'locked'])

/** The outage in an error, or in what caused it. */
function causeIn(error: unknown, depth = 0): Error | null {
  // A gateway that cannot be reached has the same codes.
  if (!(error instanceof Error) || isGatewayError(error) || depth > 3) return null
  return OUTAGES.has(storeFaultOf(error)) ? error : causeIn(error.cause, depth + 1)
}

function keyOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const detail = 'errcode' in error && typeof error.errcode === 'number' ? `:${String(error.errcode)}` : ''
  return code === '' ? error.message : `${code}${detail}`
}

/** The error without its stack and its own causes; a database's other fields are not logged. */
function withoutStack(error: Error): Error {
  const short = new Error(error.message)
  delete short.stack
  short.name = error.name
  return Object.assign(short, 'code' in error && { code: error.code })
}

type LogMethod = (this: unknown, args: Parameters<LogFn>, method: LogFn) => void

/** A hook of pino for one log and its children. */
export function outageLines(): LogMethod {
  const counts = new Map<string, number>()

  const repeat = (key: string, write: (count: number) => void): void => {
    setTimeout(() => {
      const count = counts.get(key) ?? 0
      counts.delete(key)
      if (count === 0) return
      counts.set(key, 0)
      write(count)
      repeat(key, write)
    }, MINUTE_MS).unref()
  }

  /** True if the line is to be written now. */
  const isFirst = (error: Error, write: (count: number) => void): boolean => {
    const known = keyOf(error)
    const key = counts.has(known) || counts.size < MOST_CAUSES ? known : 'others'
    const count = counts.get(key)
    counts.set(key, count === undefined ? 0 : count + 1)
    if (count === undefined) repeat(key, write)
    return count === undefined
  }

  return function logMethod(args, method) {
    const [fields, message] = args as unknown as [unknown, string?]
    const err = typeof fields === 'object' && fields !== null && 'err' in fields ? causeIn(fields.err) : null
    if (err === null) {
      method.apply(this as never, args)
      return
    }
    const short = withoutStack(err)
    const again = (count: number): void =>
      method.apply(this as never, [{ err: short, count }, 'the database still fails: so many lines in the last minute'])
    if (isFirst(err, again)) method.apply(this as never, [{ ...(fields as object), err: short }, message])
  }
}
