import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FLAVOURS } from '#lib/server/store/testing/test-databases.ts'
import { useStores, type Stores } from '#lib/server/store/testing/use-stores.ts'

const program = fileURLToPath(new URL('operator.ts', import.meta.url))

/** Runs the command as a person on the machine does, beside an instance. */
const commandOn =
  (stores: Stores) =>
  (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = { ...process.env, DATABASE_URL: stores.url, PUBLIC_URL: 'https://cashier.example', ...more }
      const all = ['--conditions=react-server', program, ...args]
      const child = execFile(process.execPath, all, { env }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      )
    })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)
  const operator = commandOn(stores)

  test('it invites, lists, changes and disables operators while an instance runs', async () => {
    const { one } = stores
    await one.leases.keepAlive('instance-1', 60_000)
    expect((await operator(['list'])).out).toContain('There are no operators')
    const invited = await operator(['invite', 'Ada', '--role', 'admin'])
    expect(invited.code).toBe(0)
    expect(invited.out).toMatch(/Ada \(admin\)[^]*\n {2}https:\/\/cashier\.example\/operate\/invitation#[\w-]{43}\n/)
    const again = await operator(['invite', 'ada'])
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Ada (admin)')])
    expect(again.out).not.toBe(invited.out)
    const [ada] = await one.operators.list()
    await one.operatorPasskeys.addPasskey({
      id: 'p1',
      operator_id: ada?.id ?? '',
      credential_id: 'c1',
      public_key: '',
      counter: 0,
      transports: '[]',
      name: 'Laptop',
      created_ms: 1,
      last_used_ms: 1,
      revoked_ms: null,
    })
    expect((await operator(['list'])).out).toMatch(
      /Ada {2}admin {2}invited until .*\n {2}p1 {2}Laptop {2}last used 1970/,
    )
    expect((await operator(['role', 'Ada', '--role', 'viewer'])).code).toBe(0)
    expect((await operator(['revoke-passkey', 'Ada', 'p1'])).code).toBe(0)
    expect((await operator(['disable', 'Ada'])).code).toBe(0)
    expect((await operator(['list'])).out).toMatch(/Ada {2}viewer {2}disabled since/)
    expect((await operator(['enable', 'Ada'])).code).toBe(0)
    expect((await one.audit.page(null, 9)).map(({ action, operator_name }) => [action, operator_name])).toEqual(
      ['enable', 'disable', 'revoke_passkey', 'change_role', 'invite', 'invite'].map((act) => [
        `operator.${act}`,
        'command',
      ]),
    )
  })
})

describe('on SQLite', () => {
  const stores = useStores('sqlite')
  const operator = commandOn(stores)

  test('what makes no sense is refused, and nothing is changed', async () => {
    const nonsense = [
      [],
      ['invite', 'Ada', '--role', 'king'],
      ['list', 'Ada'],
      ['role', 'Ada'],
      ['fire', 'Ada'],
      ['--foo'],
    ]
    for (const args of nonsense) expect([args, (await operator(args)).code]).toEqual([args, 2])
    const refused = await operator(['invite', 'Ada'])
    expect([refused.code, refused.err]).toEqual([1, 'Nobody is called Ada: a new operator needs a role.\n'])
    expect((await operator(['disable', 'Ada'])).err).toBe('Nobody is called Ada.\n')
    expect((await operator(['invite', 'Ada', '--role', 'admin'], { PUBLIC_URL: 'cashier.example' })).code).toBe(1)
    expect(await stores.one.operators.list()).toEqual([])
  })

  test('it warns where browsers have no passkeys', async () => {
    const warned = async (PUBLIC_URL: string) =>
      (await operator(['invite', 'Ada', '--role', 'admin'], { PUBLIC_URL, OPERATORS: 'off' })).out
    expect(await warned('http://10.0.0.7:3000')).toMatch(/need a host name[^]*need https[^]*OPERATORS is off/)
    expect(await warned('https://[::1]:3000')).toContain('need a host name')
    expect(await warned('')).toContain('http://localhost:')
  })
})
