import { decimal } from '#lib/contract/money.ts'
import type { UnitOfWork } from '../../ledger/unit-of-work.ts'

/** Puts an event of a deposit into the unit's outbox. */
export const tellDeposit = (
  unit: UnitOfWork,
  transaction_uuid: string,
  status: string,
  user: string | null = 'u',
  amount = decimal('1'),
): void =>
  unit.outbox.addTransaction({
    entity: `deposit:${transaction_uuid}`,
    user,
    streamUser: user,
    source: 'webhook',
    event: {
      transaction_uuid,
      kind: 'deposit',
      status,
      amount,
      currency_code: 'USDT',
      network: 'Tron',
      tx_hash: null,
      updated_at: '2026-01-01T00:00:00.000Z',
    },
  })
