import type { FactCurrency } from '../../ledger/facts.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { updateRows } from '../database/multi-row.ts'
import type { StatementRunner } from '../database/pipelined.ts'

/** Another instance may have stored another icon in this time. */
const LOOK_AGAIN_MS = 60_000

/**
 * Writes the network icons that records and events have named, for listed currencies too. An icon that is stored
 * already is not checked again for a minute: almost every event has one, and on PostgreSQL each check would lock the
 * row of its currency.
 */
export function networkIconWriter(flavour: Flavour) {
  const putIcons = updateRows<{ id: string; network_icon: string }>(
    flavour,
    'currencies',
    { id: 'text', network_icon: 'text' },
    ['id'],
    (value) => ({ network_icon: value('network_icon') }),
    {
      where: (value) => `currencies.network_icon is distinct from ${value('network_icon')}`,
      returning: 'currencies.id',
    },
  )
  /** The last icon that was found stored for each currency, and when. */
  const found = new Map<string, { readonly icon: string; readonly atMs: number }>()
  const isFound = (id: string, icon: string, now: number): boolean => {
    const last = found.get(id)
    return last?.icon === icon && now >= last.atMs && now - last.atMs < LOOK_AGAIN_MS
  }

  return async (db: StatementRunner, learned: readonly FactCurrency[], now: number): Promise<void> => {
    const rows = learned.flatMap(({ id, network_icon: icon }) =>
      icon === undefined || isFound(id, icon, now) ? [] : [{ id, network_icon: icon }],
    )
    const written = new Set((await putIcons(db, rows)).map((row) => row['id']))
    // A written icon is not remembered, since its transaction may still be rolled back.
    for (const { id, network_icon: icon } of rows)
      if (written.has(id)) found.delete(id)
      else found.set(id, { icon, atMs: now })
  }
}
