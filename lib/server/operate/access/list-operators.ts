import type { ListedOperator } from '#lib/contract/operate/access.ts'
import type { Store } from '../../store/types.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

/** Everybody who was ever invited, in the order of their names, with their passkeys. */
export const createListOperators =
  (store: Pick<Store, 'operators' | 'operatorPasskeys' | 'operatorInvitations'>, clock: () => number) =>
  async (): Promise<readonly ListedOperator[]> => {
    const [operators, passkeys, invitations, lastUses] = await Promise.all([
      store.operators.list(),
      store.operatorPasskeys.listPasskeys(null),
      store.operatorInvitations.listInvitations(clock()),
      store.operators.lastUses(),
    ])
    const invitedUntil = new Map(invitations.map((row) => [row.operator_id, row.expires_ms]))
    return operators.map(({ id, name, role, created_ms, disabled_ms }) => ({
      id,
      name,
      role,
      created_at: iso(created_ms),
      disabled_at: isoOrNull(disabled_ms),
      last_seen_at: isoOrNull(lastUses.get(id) ?? null),
      invited_until: isoOrNull(invitedUntil.get(id) ?? null),
      passkeys: passkeys
        .filter((row) => row.operator_id === id)
        .map((row) => ({
          id: row.id,
          name: row.name,
          created_at: iso(row.created_ms),
          last_used_at: iso(row.last_used_ms),
        })),
    }))
  }
