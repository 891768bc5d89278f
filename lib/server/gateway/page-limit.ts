import { isGatewayError, type GatewayError, type ValidationError } from './errors.ts'
import type { TransactionsListRequest } from './types.ts'

const isValidation = (error: GatewayError): error is ValidationError => error.kind === 'validation'

/** Whether the gateway refused how many records were asked for. */
const refusesSize = (error: unknown): boolean =>
  isGatewayError(error) && isValidation(error) && ['first', 'last'].some((field) => Object.hasOwn(error.fields, field))

const within = ({ first, last, ...rest }: TransactionsListRequest, most: number): TransactionsListRequest => ({
  ...rest,
  ...(first !== undefined && { first: Math.min(first, most) }),
  ...(last !== undefined && { last: Math.min(last, most) }),
})

/**
 * Asks for lists in pages that the gateway accepts: its maximum of `first` and `last` is not documented. A page that is
 * refused for its size is asked for again with half as many records, and later pages ask for no more.
 */
export function createPageLimit() {
  let most = Infinity
  return async <Reply>(
    list: TransactionsListRequest,
    ask: (list: TransactionsListRequest) => Promise<Reply>,
  ): Promise<Reply> => {
    for (let size = most; ;) {
      const asked = within(list, size)
      try {
        const reply = await ask(asked)
        most = Math.min(most, size)
        return reply
      } catch (error) {
        const count = asked.first ?? asked.last ?? 0
        if (count <= 1 || !refusesSize(error)) throw error
        size = Math.floor(count / 2)
      }
    }
  }
}
