import { assertInvariant } from './invariant.ts'
import type { WithdrawalColumns, WithdrawalRow } from './rows.ts'
import { CALL_STATES, OUTCOMES } from './withdrawal-shapes.ts'

type Column = keyof WithdrawalColumns

interface Shape {
  readonly has: readonly Column[]
  readonly none: readonly Column[]
}

const columnsOf = ({ has, may }: { readonly has: readonly Column[]; readonly may: readonly Column[] }) => [
  ...has,
  ...may,
]

const COLUMNS = new Set([...Object.values(CALL_STATES), ...Object.values(OUTCOMES)].flatMap(columnsOf))

const stateOf = ({ step, status }: Pick<WithdrawalColumns, 'step' | 'status'>): string => `${step} ${status}`

/** The shapes by step and status. */
const SHAPES: ReadonlyMap<string, readonly Shape[]> = Map.groupBy(
  Object.values(CALL_STATES).flatMap((call) =>
    call.outcomes.flatMap((name) => {
      const outcome = OUTCOMES[name]
      const present = new Set([...columnsOf(call), ...columnsOf(outcome)])
      const none = [...COLUMNS].filter((column) => !present.has(column))
      return outcome.status.map((status) => ({ step: call.step, status, has: [...call.has, ...outcome.has], none }))
    }),
  ),
  stateOf,
)

/**
 * The withdrawal that these columns are.
 * @throws BrokenInvariant if they are of no withdrawal
 */
export function parseWithdrawal(columns: WithdrawalColumns): WithdrawalRow {
  const fits = SHAPES.get(stateOf(columns))?.some(
    ({ has, none }) => has.every((name) => columns[name] !== null) && none.every((name) => columns[name] === null),
  )
  assertInvariant(fits === true, 'fits_its_step', columns.id)
  return columns as WithdrawalRow
}
