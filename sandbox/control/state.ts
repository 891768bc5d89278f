import { z } from 'zod'
import type { Context } from '../context.ts'
import { listedCurrencies } from '../currencies/find-currency.ts'
import { MAGIC_ADDRESS_KINDS, MAGIC_FRACTIONS, MAGIC_USERS, magicAddress } from '../faults/magic-values.ts'
import { MAGIC_WORDS } from '../faults/magic-words.ts'
import { NETWORK_NAMES } from '../currencies/networks.ts'
import { TABLES } from '../state/schema.ts'
import { noInput, route } from './route.ts'

const COUNTED = ['addresses', 'transactions', 'sessions', 'webhooks', 'calls', 'nonces'] as const

const restartSchema = z.strictObject({ down_ms: z.int().min(0).max(600_000).default(1000) })

const countIn = (context: Context, table: (typeof COUNTED)[number]): number =>
  z.number().parse(context.database.one(`SELECT count(*) AS rows FROM ${table}`)?.['rows'])

export const stateRoutes = [
  route(
    'GET',
    '/state',
    'Clock, restarts, modes, merchants, currencies, public key, and the number of rows of each table.',
    noInput,
    (_input, _params, context) => ({
      now: context.now(),
      restarts: context.restarts(),
      origin: context.origin,
      base_path: context.basePath,
      modes: context.modes.read(),
      merchants: context.merchants.all().map(({ key: _key, ...merchant }) => merchant),
      gateway_public_key: context.gatewayPublicKey,
      currencies: listedCurrencies(context.modes.read().currency_list),
      counts: Object.fromEntries(COUNTED.map((table) => [table, countIn(context, table)])),
    }),
  ),
  route('GET', '/magic', 'Amounts, addresses and users that cause faults by themselves.', noInput, () => ({
    amounts: MAGIC_FRACTIONS,
    addresses: Object.fromEntries(
      NETWORK_NAMES.map((network) => [
        network,
        Object.fromEntries(MAGIC_ADDRESS_KINDS.map((kind) => [kind, magicAddress(network, kind)])),
      ]),
    ),
    users: MAGIC_USERS,
    words: MAGIC_WORDS,
  })),
  route(
    'POST',
    '/restart',
    'Refuses connections for {down_ms?} (1 s), as while it restarts; keeps its data.',
    restartSchema,
    (input, _params, context) => {
      context.restart(input.down_ms)
      return { restarts: context.restarts(), down_ms: input.down_ms }
    },
  ),
  route(
    'POST',
    '/reset',
    'Deletes everything, nonces, faults and changed modes included.',
    noInput,
    (_input, _params, context) => {
      for (const table of TABLES) context.database.run(`DELETE FROM ${table}`)
      context.modes.invalidate()
      context.merchants.invalidate()
      return { reset: true }
    },
  ),
]
