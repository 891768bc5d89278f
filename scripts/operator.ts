/**
 * `npm run operator`: who may use the console at /operate. `-- invite NAME --role admin` prints a link that works once,
 * for an hour; `-- invite NAME` one for a further passkey. It runs beside instances.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { operatorRole, type OperatorRole } from '#lib/contract/operate/operators.ts'
import { operatorName } from '#lib/contract/operate/access.ts'
import { isProblem, Problem } from '#lib/contract/problems.ts'
import { createChangeOperator } from '#lib/server/operate/access/change-operator.ts'
import { createInviteOperator, operatorNameKey } from '#lib/server/operate/access/invite-operator.ts'
import { createListOperators } from '#lib/server/operate/access/list-operators.ts'
import { origin } from '#lib/server/runtime/config/readers.ts'
import type { Store } from '#lib/server/store/store.ts'
import { usageText } from './program/help.ts'
import { withStore } from './with-store.ts'

type Command = (store: Store) => Promise<readonly string[]>

/** The origin that operators reach, by `PUBLIC_URL` and `PORT` as the cashier reads them. */
function publicUrl(): string {
  const { PUBLIC_URL = '', PORT = '' } = process.env
  if (PUBLIC_URL.trim() === '') return `http://localhost:${PORT.trim() || '3000'}`
  const found = origin(PUBLIC_URL.trim())
  if (found === undefined)
    throw new Problem('invalid_request', 'PUBLIC_URL must be an origin, such as https://cashier.example.com.')
  return found
}

/** Browsers have passkeys for names only, and only where nobody can read along. */
function warnings(url: string): readonly string[] {
  const { hostname, protocol } = new URL(url)
  return [
    ...(isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? ['PUBLIC_URL is an address: passkeys need a host name.'] : []),
    ...(protocol === 'http:' && hostname !== 'localhost' ? ['PUBLIC_URL is http: passkeys need https.'] : []),
    ...(process.env['OPERATORS']?.trim() === 'off' ? ['OPERATORS is off: there is no console.'] : []),
  ]
}

async function idOf(store: Store, name: string): Promise<string> {
  const operator = (await store.operators.list()).find((row) => row.name_key === operatorNameKey(name))
  if (operator === undefined) throw new Problem('not_found', `Nobody is called ${name}.`)
  return operator.id
}

const invite =
  (name: string, role: OperatorRole | null): Command =>
  async (store) => {
    const url = publicUrl()
    const order = createInviteOperator({ store, publicUrl: url, newId: randomUUID, randomBytes })
    const { operator, link } = await order(null, { name, role })
    return [
      ...warnings(url),
      `${operator.name} (${operator.role}) may open this link once, within an hour:`,
      '',
      `  ${link}`,
      '',
    ]
  }

const list: Command = async (store) => {
  const operators = await createListOperators(store, Date.now)()
  if (operators.length === 0) return ['There are no operators: /operate answers 404.']
  return operators.flatMap(({ name, role, disabled_at, invited_until, passkeys }) => [
    `${name}  ${role}${disabled_at === null ? '' : `  disabled since ${disabled_at}`}${invited_until === null ? '' : `  invited until ${invited_until}`}`,
    ...passkeys.map(({ id, name: passkey, last_used_at }) => `  ${id}  ${passkey}  last used ${last_used_at}`),
  ])
}

const change =
  (name: string, done: string, make: (changes: ReturnType<typeof createChangeOperator>, id: string) => Promise<void>) =>
  async (store: Store): Promise<readonly string[]> => {
    await make(createChangeOperator(store), await idOf(store, name))
    return [done]
  }

/** Null: the arguments make no sense. */
function commandOf(): Command | null {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { role: { type: 'string' } } })
  const [verb, name = '', passkey, ...more] = positionals
  const role = values.role === undefined ? null : operatorRole.safeParse(values.role).data
  if (role === undefined || more.length > 0 || (passkey !== undefined && verb !== 'revoke-passkey')) return null
  if (verb === 'list') return name === '' ? list : null
  if (!operatorName.safeParse(name).success) return null
  if (verb === 'invite') return invite(name, role)
  if (verb === 'role' && role !== null)
    return change(name, `${name} has the role ${role}.`, (changes, id) => changes.changeRole(null, id, role, null))
  if (verb === 'disable')
    return change(name, `${name} is disabled.`, (changes, id) => changes.setEnabled(null, id, false, null))
  if (verb === 'enable')
    return change(name, `${name} is enabled.`, (changes, id) => changes.setEnabled(null, id, true, null))
  if (verb === 'revoke-passkey' && passkey !== undefined)
    return change(name, 'The passkey is revoked.', (changes, id) => changes.revokePasskey(null, id, passkey, null))
  return null
}

function readCommand(): Command | null {
  try {
    return commandOf()
  } catch {
    return null
  }
}

const command = readCommand()
if (command === null) {
  console.error(usageText('operator'))
  process.exitCode = 2
} else {
  await withStore(async (store) => {
    try {
      for (const line of await command(store)) console.log(line)
      return 0
    } catch (error) {
      if (!isProblem(error)) throw error
      console.error(error.detail)
      return 1
    }
  })
}
