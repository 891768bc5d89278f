import type { Kysely } from 'kysely'
import type { FactCurrency } from '../ledger/facts.ts'
import type { Flavour } from './migrations/0001-initial.ts'
import { updateRows } from './multi-row.ts'
import type { Tables } from './schema.ts'

/**
 * Writes the icons of networks that records and events have named, of listed currencies too. One that was found stored is
 * not looked at again: almost every event brings one, and on PostgreSQL each look would lock the row of its currency.
 */
export function networkIconWriter(flavour: Flavour) {
  const putIcons = updateRows<Pick<Tables['currencies'], 'id' | 'network_icon'>>(
    flavour,
    'currencies',
    { id: 'text', network_icon: 'text' },
    'id',
    (value) => ({ network_icon: value('network_icon') }),
    {
      where: (value) => `currencies.network_icon is distinct from ${value('network_icon')}`,
      returning: 'currencies.id',
    },
  )
  const stored = new Set<string>()
  const keyOf = ({ id, network_icon }: FactCurrency): string => `${id} ${network_icon ?? ''}`

  return async (db: Kysely<Tables>, learned: readonly FactCurrency[]): Promise<void> => {
    const named = learned.filter((one) => one.network_icon !== undefined && !stored.has(keyOf(one)))
    const rows = named.map(({ id, network_icon }) => ({ id, network_icon: network_icon ?? null }))
    const written = new Set((await putIcons(db, rows)).map((row) => row['id']))
    for (const one of named) if (!written.has(one.id)) stored.add(keyOf(one))
  }
}
