import { describe, expect, expectTypeOf, test } from 'vitest'
import { WITHDRAWAL_STATUSES } from '#lib/contract/cashier.ts'
import { decimal } from '#lib/contract/money.ts'
import { asBrokenInvariant } from '../store/database/broken-constraint.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { parseWithdrawal } from './parse-withdrawal.ts'
import type { CallingWithdrawal, CalledWithdrawal, WithdrawalColumns, WithdrawalRow } from './rows.ts'
import { CALL_STATES, OUTCOMES } from './withdrawal-shapes.ts'

/** Each column that only some withdrawals have, with a value. */
const VALUES = {
  driver: 'one',
  early_decision: 'approve',
  review: '["review_above"]',
  wait_until_ms: 11,
  first_result: '{}',
  resolution: '{}',
  called_ms: 1,
  call_ended_ms: 2,
  clock_offset_ms: 3,
  checked_ms: 4,
  next_check_ms: 5,
  overdue_ms: 6,
  reply_amount: decimal('7'),
  reply_transaction_uuid: 'u8',
  transaction_uuid: 'u9',
  record_status: 'processing',
  paid_amount: decimal('10'),
  failure: 'refused',
  failure_reason: 'refused',
} as const satisfies Partial<WithdrawalColumns>
type StateColumn = keyof typeof VALUES
const NONE = Object.fromEntries(Object.keys(VALUES).map((name) => [name, null])) as Record<StateColumn, null>

const rowWith = (
  { step, status }: Pick<WithdrawalColumns, 'step' | 'status'>,
  present: readonly StateColumn[],
): WithdrawalColumns => ({
  ...sampleWithdrawal(),
  ...NONE,
  ...Object.fromEntries(present.map((name) => [name, VALUES[name]])),
  step,
  status,
})

interface State {
  readonly step: WithdrawalColumns['step']
  readonly status: WithdrawalColumns['status']
  readonly present: readonly StateColumn[]
}

/** Each state of a withdrawal, with the columns that it has, and with all that it may have. */
const STATES: readonly State[] = Object.values(CALL_STATES).flatMap((call) =>
  call.outcomes.flatMap((name) =>
    OUTCOMES[name].status.flatMap((status) => {
      const has: readonly StateColumn[] = [...call.has, ...OUTCOMES[name].has]
      const all: readonly StateColumn[] = [...has, ...call.may, ...OUTCOMES[name].may]
      return [has, all].map((present) => ({ step: call.step, status, present }))
    }),
  ),
)

const STEPS = ['authorizing', 'pending', 'calling', 'ended'] as const
const toggled = (present: readonly StateColumn[], name: StateColumn): readonly StateColumn[] =>
  present.includes(name) ? present.filter((other) => other !== name) : [...present, name]

/** Each state, its columns under every other step and status, and each with one column more or less. */
const ROWS: readonly WithdrawalColumns[] = [
  ...new Map(
    STATES.flatMap((state) => [
      ...STEPS.flatMap((step) => WITHDRAWAL_STATUSES.map((status) => rowWith({ step, status }, state.present))),
      ...(Object.keys(VALUES) as StateColumn[]).map((name) => rowWith(state, toggled(state.present, name))),
    ]).map((row) => [JSON.stringify(row), row]),
  ).values(),
]

const isPossible = (row: WithdrawalColumns): boolean => {
  try {
    parseWithdrawal(row)
    return true
  } catch {
    return false
  }
}

test('the tables name every column that a withdrawal may lack, except the message to the user and who decided', () => {
  type Nullable = { [K in keyof WithdrawalColumns]: null extends WithdrawalColumns[K] ? K : never }
  expectTypeOf<StateColumn | 'user_message' | 'decided_by'>().toEqualTypeOf<Nullable[keyof WithdrawalColumns]>()
  const named = [...Object.values(CALL_STATES), ...Object.values(OUTCOMES)].flatMap(({ has, may }) => [...has, ...may])
  expect(new Set<string>(named)).toEqual(new Set(Object.keys(VALUES)))
})

test.each(STATES)('$step, $status with $present is a withdrawal', (state) => {
  const row = rowWith(state, state.present)
  expect(parseWithdrawal(row)).toBe(row)
})

test.each<[string, State]>([
  ['is called without a time', { step: 'calling', status: 'processing', present: [] }],
  ['has ended a call that did not begin', { step: 'ended', status: 'processing', present: ['call_ended_ms'] }],
  ['was postponed and has a transaction', { ...undecided('pending'), present: ['transaction_uuid'] }],
  ['is called and waits for the merchant', { ...undecided('calling'), present: ['called_ms'] }],
  ['is checked by nobody', { step: 'ended', status: 'unknown', present: ['called_ms', 'call_ended_ms'] }],
  ['failed without a failure', { step: 'ended', status: 'failed', present: ['called_ms', 'call_ended_ms'] }],
  ['is paid by nothing', { step: 'ended', status: 'succeeded', present: ['called_ms', 'call_ended_ms'] }],
])('no withdrawal %s: the error names it', (_name, state) => {
  expect(() => parseWithdrawal(rowWith(state, state.present))).toThrow(
    expect.objectContaining({ name: 'BrokenInvariant', invariant: 'fits_its_step', about: 'w1' }) as Error,
  )
})

function undecided(step: State['step']): Pick<State, 'step' | 'status'> {
  return { step, status: 'pending_authorization' }
}

test('what no withdrawal is does not compile', () => {
  type With<Row, Change> = Row extends unknown ? Omit<Row, keyof Change> & Change : never
  type Failed = Extract<CalledWithdrawal, { status: 'failed' }>
  expectTypeOf<With<CallingWithdrawal, { user_message: string }>>().toExtend<WithdrawalRow>()
  expectTypeOf<With<CallingWithdrawal, { called_ms: null }>>().not.toExtend<WithdrawalRow>()
  expectTypeOf<With<CallingWithdrawal, { step: 'pending' }>>().not.toExtend<WithdrawalRow>()
  expectTypeOf<With<CallingWithdrawal, { step: 'ended' }>>().not.toExtend<WithdrawalRow>()
  expectTypeOf<With<CallingWithdrawal, { reply_amount: string }>>().not.toExtend<WithdrawalRow>()
  expectTypeOf<With<CallingWithdrawal, { early_decision: 'approve' }>>().not.toExtend<WithdrawalRow>()
  expectTypeOf<With<Failed, { failure: null }>>().not.toExtend<WithdrawalRow>()
  expectTypeOf<With<Failed, { status: 'processing' }>>().not.toExtend<WithdrawalRow>()
  expectTypeOf<With<Failed, { overdue_ms: number }>>().not.toExtend<WithdrawalRow>()
  const calling: CallingWithdrawal = sampleWithdrawal({ step: 'calling' })
  // @ts-expect-error a call that has ended has a time
  const ended: WithdrawalRow = { ...calling, step: 'ended' }
  expect(isPossible(ended)).toBe(false)
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  const stores = useStores(flavour)

  test(`the database stores a withdrawal exactly if it is possible, of ${ROWS.length}`, async () => {
    const { db } = stores.one.database
    const insert = async (row: WithdrawalColumns): Promise<true | string> => {
      try {
        await db.insertInto('withdrawals').values(row).execute()
        return true
      } catch (error) {
        const broken = asBrokenInvariant(error)
        return broken instanceof Error ? broken.message : String(broken)
      }
    }
    const refused = 'broken invariant fits_its_step at withdrawals'
    const differing: object[] = []
    for (const [n, row] of ROWS.entries()) {
      const { transaction_uuid } = row
      const own = { id: `w${n}`, idempotency_key: `w${n}`, transaction_uuid: transaction_uuid && `u${n}` }
      const stored = await insert({ ...row, ...own })
      const agrees = isPossible(row) ? stored === true : stored !== true && stored.startsWith(refused)
      if (!agrees) differing.push({ stored, row })
    }
    expect(differing).toEqual([])
    const { count } = await db
      .selectFrom('withdrawals')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(ROWS.filter(isPossible).length)
  }, 120_000)
})
