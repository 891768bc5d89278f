/** Invitations, passkeys and sign-in, on both databases. */
import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import type { OperatorOfSession, Store } from '../../store/types.ts'
import { createAcceptInvitation } from './accept-invitation.ts'
import { createChangeOperator } from './change-operator.ts'
import { newChallenge } from './challenges.ts'
import { createInviteOperator } from './invite-operator.ts'
import { createListOperators } from './list-operators.ts'
import { passkeySite } from './passkey-checks.ts'
import { createSignIn } from './sign-in.ts'
import { softwareAuthenticator } from './testing/software-authenticator.ts'

const URL_ = 'https://cashier.example'
const HOUR = 3_600_000
const REFUSED = { code: 'unauthenticated', detail: 'The passkey was not accepted.' }
const NO_INVITATION = { code: 'not_found', detail: 'This invitation does not work: ask for another.' }

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = 1_800_000_000_000
  const stores = useStores(flavour, { clock: () => now })
  beforeEach(() => {
    now = 1_800_000_000_000
  })

  function parts(store: Store) {
    const deps = {
      store,
      site: passkeySite(URL_),
      secrets: ['secret one'] as const,
      clock: () => now,
      newId: randomUUID,
      newChallenge: (subject: Parameters<typeof newChallenge>[1]) =>
        newChallenge('secret one', subject, now, randomBytes),
    }
    const secrets: [string, ...string[]] = ['secret one']
    return {
      ...createAcceptInvitation({ ...deps, secrets }),
      ...createSignIn({ ...deps, secrets }),
      ...createChangeOperator(store),
      invite: createInviteOperator({ store, publicUrl: URL_, newId: randomUUID, randomBytes }),
      list: createListOperators(store, () => now),
    }
  }

  const tokenOf = (link: string): string => link.split('#')[1] ?? ''
  const asked = ({ options }: { options: { challenge: string } }) => ({
    challenge: options.challenge,
    rpId: 'cashier.example',
  })

  async function invited(name: string, role: OperatorRole | null, store = stores.one): Promise<string> {
    return tokenOf((await parts(store).invite(null, { name, role })).link)
  }

  /** An operator with a passkey, signed in. */
  async function enrolled(name: string, role: OperatorRole) {
    const authenticator = softwareAuthenticator(URL_)
    const access = parts(stores.one)
    const token = await invited(name, role)
    const passkey = authenticator.create(asked(await access.invitationOptions(token)))
    const begun = await access.acceptInvitation({ token, passkey_name: 'Laptop', passkey })
    return { authenticator, begun, actor: { id: begun.operator.id, name, sessionId: begun.session.id } }
  }

  const isOver = async ({ session }: OperatorOfSession): Promise<boolean> =>
    (await stores.one.operators.findSession(session.id))?.session.ended_ms !== null

  test('an invitation creates a passkey and signs in, and the passkey signs in again', async () => {
    const { one } = stores
    expect(await one.operators.any()).toBe(false)
    const access = parts(one)
    const { link, expiresMs, operator } = await access.invite(null, { name: ' Ada ', role: 'admin' })
    expect(operator).toMatchObject({ name: 'Ada', role: 'admin' })
    expect([link, expiresMs]).toEqual([
      expect.stringMatching(/^https:\/\/cashier\.example\/operate\/invitation#[\w-]{43}$/),
      now + HOUR,
    ])
    const { operator: told, options } = await access.invitationOptions(tokenOf(link))
    expect(told).toEqual({ name: 'Ada', role: 'admin' })
    expect(options).toMatchObject({
      rp: { id: 'cashier.example' },
      user: { name: 'Ada' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const authenticator = softwareAuthenticator(URL_)
    const passkey = authenticator.create(asked({ options }))
    const first = await access.acceptInvitation({ token: tokenOf(link), passkey_name: ' Laptop ', passkey })
    expect(first).toMatchObject({ operator: { name: 'Ada' }, session: { created_ms: now, touched_ms: now } })

    now += HOUR
    const second = await access.signIn(authenticator.use(asked(access.signInOptions())), first.session.id)
    expect(second.session.id).not.toBe(first.session.id)
    expect([await isOver(first), await isOver(second)]).toEqual([true, false])
    expect(await access.list()).toMatchObject([
      {
        name: 'Ada',
        role: 'admin',
        disabled_at: null,
        invited_until: null,
        last_seen_at: new Date(now).toISOString(),
        passkeys: [{ name: 'Laptop', last_used_at: new Date(now).toISOString() }],
      },
    ])
    expect((await one.audit.page(null, 9)).map(({ action, operator_name }) => [action, operator_name])).toEqual([
      ['operator.sign_in', 'Ada'],
      ['passkey.create', 'Ada'],
      ['operator.invite', 'command'],
    ])
  })

  test('an invitation works once, also when it is accepted twice at once', async () => {
    const other = flavour === 'postgres' ? await stores.another() : stores.one
    const token = await invited('Ada', 'admin')
    const attempts = [stores.one, other].map(async (store) => {
      const access = parts(store)
      const passkey = softwareAuthenticator(URL_).create(asked(await access.invitationOptions(token)))
      return () => access.acceptInvitation({ token, passkey_name: 'x', passkey })
    })
    const results = await Promise.allSettled((await Promise.all(attempts)).map((accept) => accept()))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(parts(stores.one).invitationOptions(token)).rejects.toMatchObject(NO_INVITATION)
    expect((await stores.one.operatorPasskeys.listPasskeys(null)).length).toBe(1)
  })

  test('an invitation that is over, replaced, foreign or of a disabled operator is answered alike', async () => {
    const access = parts(stores.one)
    const first = await invited('Ada', 'admin')
    const second = await invited('Ada', null)
    await expect(access.invitationOptions(first)).rejects.toMatchObject(NO_INVITATION)
    const passkey = softwareAuthenticator(URL_).create(asked(await access.invitationOptions(second)))
    now += HOUR
    await expect(access.invitationOptions(second)).rejects.toMatchObject(NO_INVITATION)
    await expect(access.acceptInvitation({ token: second, passkey_name: 'x', passkey })).rejects.toMatchObject(
      NO_INVITATION,
    )
    await expect(access.invitationOptions('a'.repeat(43))).rejects.toMatchObject(NO_INVITATION)
    const third = await invited('Ada', null)
    const [ada] = await stores.one.operators.list()
    await access.setEnabled(null, ada?.id ?? '', false, null)
    await expect(access.invitationOptions(third)).rejects.toMatchObject(NO_INVITATION)
  })

  test('a name is taken without regard to case; a new one needs a role, an existing one keeps its own', async () => {
    const access = parts(stores.one)
    await expect(access.invite(null, { name: 'Ada', role: null })).rejects.toMatchObject({ code: 'invalid_request' })
    await access.invite(null, { name: 'Ada', role: 'agent' })
    await expect(access.invite(null, { name: 'ADA', role: 'admin' })).rejects.toMatchObject({ code: 'conflict' })
    expect((await access.invite(null, { name: 'ADA', role: null })).operator).toMatchObject({
      name: 'Ada',
      role: 'agent',
    })
    const [ada] = await stores.one.operators.list()
    await access.setEnabled(null, ada?.id ?? '', false, null)
    await expect(access.invite(null, { name: 'Ada', role: null })).rejects.toMatchObject({ code: 'conflict' })
    expect((await stores.one.operators.list()).length).toBe(1)
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an own challenge', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['another ceremony', { type: 'webauthn.get' }],
    ['no verified user', { userVerified: false }],
  ])('a new passkey with %s is refused', async (_what, wrong) => {
    const access = parts(stores.one)
    const token = await invited('Ada', 'admin')
    const passkey = softwareAuthenticator(URL_).create(asked(await access.invitationOptions(token)), wrong)
    const attempt = access.acceptInvitation({ token, passkey_name: 'x', passkey })
    await expect(attempt).rejects.toMatchObject(REFUSED)
    // The invitation is not used up by it.
    expect(await access.invitationOptions(token)).toMatchObject({ operator: { name: 'Ada' } })
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an own challenge', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['another ceremony', { type: 'webauthn.create' }],
    ['no verified user', { userVerified: false }],
    ['another key', { foreign: true }],
    ['a counter that runs backwards', { counter: 1 }],
    ['the handle of another operator', { userHandle: 'eA' }],
  ])('a sign-in with %s is refused', async (_what, wrong) => {
    const { authenticator } = await enrolled('Ada', 'admin')
    const access = parts(stores.one)
    await access.signIn(authenticator.use(asked(access.signInOptions())), null)
    const attempt = access.signIn(authenticator.use(asked(access.signInOptions()), wrong), null)
    await expect(attempt).rejects.toMatchObject(REFUSED)
  })

  test('an answer counts once, for its purpose and five minutes; an unknown passkey is refused alike', async () => {
    const { authenticator, actor } = await enrolled('Ada', 'admin')
    const access = parts(stores.one)
    const used = authenticator.use(asked(access.signInOptions()))
    await access.signIn(used, null)
    await expect(access.signIn(used, null)).rejects.toMatchObject(REFUSED)
    await expect(access.signIn(authenticator.use(asked(await access.touchOptions(actor))), null)).rejects.toMatchObject(
      REFUSED,
    )
    const late = authenticator.use(asked(access.signInOptions()))
    now += 5 * 60_000
    await expect(access.signIn(late, null)).rejects.toMatchObject(REFUSED)
    const stranger = softwareAuthenticator(URL_).use(asked(access.signInOptions()))
    await expect(access.signIn(stranger, null)).rejects.toMatchObject(REFUSED)
    // Used challenges are forgotten once they would be refused anyway.
    await access.signIn(authenticator.use(asked(access.signInOptions())), null)
    expect((await stores.one.database.db.selectFrom('operator_challenges').selectAll().execute()).length).toBe(1)
  })

  test('one answer that is sent twice at once signs in once', async () => {
    const { authenticator } = await enrolled('Ada', 'admin')
    const other = flavour === 'postgres' ? await stores.another() : stores.one
    const used = authenticator.use(asked(parts(stores.one).signInOptions()))
    const results = await Promise.allSettled([stores.one, other].map((store) => parts(store).signIn(used, null)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('a touch makes only its own session fresh, and only by an own passkey', async () => {
    const ada = await enrolled('Ada', 'admin')
    const bob = await enrolled('Bob', 'viewer')
    const access = parts(stores.one)
    now += 10 * 60_000
    const options = asked(await access.touchOptions(ada.actor))
    await expect(access.touch(ada.actor, bob.authenticator.use(options))).rejects.toMatchObject(REFUSED)
    await expect(access.touch(bob.actor, ada.authenticator.use(options))).rejects.toMatchObject(REFUSED)
    await access.touch(ada.actor, ada.authenticator.use(options))
    const touchedMs = async (id: string) => (await stores.one.operators.findSession(id))?.session.touched_ms
    expect(await touchedMs(ada.actor.sessionId)).toBe(now)
    expect(await touchedMs(bob.actor.sessionId)).toBe(now - 10 * 60_000)
  })

  test('a changed role, a revoked passkey and a disabled operator end the sessions at once', async () => {
    const { actor } = await enrolled('Ada', 'admin')
    const bob = await enrolled('Bob', 'viewer')
    const access = parts(stores.one)
    const signedIn = () => access.signIn(bob.authenticator.use(asked(access.signInOptions())), null)
    const { id } = bob.begun.operator

    await access.changeRole(actor, id, 'agent', 'promoted')
    expect(await isOver(bob.begun)).toBe(true)
    const second = await signedIn()
    expect(second.operator.role).toBe('agent')

    await access.setEnabled(actor, id, false, 'left')
    expect(await isOver(second)).toBe(true)
    await expect(signedIn()).rejects.toMatchObject(REFUSED)
    await access.setEnabled(actor, id, true, 'is back')
    const third = await signedIn()

    const [passkey] = await stores.one.operatorPasskeys.listPasskeys(id)
    await access.revokePasskey(actor, id, passkey?.id ?? '', 'lost')
    expect(await isOver(third)).toBe(true)
    await expect(signedIn()).rejects.toMatchObject(REFUSED)
    const entries = await stores.one.audit.page(null, 20)
    expect(
      entries
        .filter(({ reason }) => reason !== null)
        .map((row) => [row.action, row.operator_name, row.about_id, row.reason]),
    ).toEqual([
      ['operator.revoke_passkey', 'Ada', id, 'lost'],
      ['operator.enable', 'Ada', id, 'is back'],
      ['operator.disable', 'Ada', id, 'left'],
      ['operator.change_role', 'Ada', id, 'promoted'],
    ])
  })

  test('a passkey of another operator cannot be revoked in passing, nor a change be made twice', async () => {
    const { actor } = await enrolled('Ada', 'admin')
    const bob = await enrolled('Bob', 'viewer')
    const access = parts(stores.one)
    const [passkey] = await stores.one.operatorPasskeys.listPasskeys(actor.id)
    const { id } = bob.begun.operator
    await expect(access.revokePasskey(actor, id, passkey?.id ?? '', 'x')).rejects.toMatchObject({ code: 'not_found' })
    await expect(access.changeRole(actor, id, 'viewer', 'x')).rejects.toMatchObject({ code: 'conflict' })
    await expect(access.setEnabled(actor, id, true, 'x')).rejects.toMatchObject({ code: 'conflict' })
    await expect(access.changeRole(actor, randomUUID(), 'viewer', 'x')).rejects.toMatchObject({ code: 'not_found' })
    expect(await isOver(bob.begun)).toBe(false)
  })

  test('an admin cannot remove the last admin who can sign in, alone or in a race; the machine can', async () => {
    const ada = await enrolled('Ada', 'admin')
    const access = parts(stores.one)
    const conflict = { code: 'conflict', detail: 'Then no admin could sign in any more.' }
    // Invited, but without a passkey.
    await invited('Cy', 'admin')
    const [own] = await stores.one.operatorPasskeys.listPasskeys(ada.actor.id)
    await expect(access.changeRole(ada.actor, ada.actor.id, 'viewer', 'x')).rejects.toMatchObject(conflict)
    await expect(access.setEnabled(ada.actor, ada.actor.id, false, 'x')).rejects.toMatchObject(conflict)
    await expect(access.revokePasskey(ada.actor, ada.actor.id, own?.id ?? '', 'x')).rejects.toMatchObject(conflict)
    expect(await isOver(ada.begun)).toBe(false)

    const bob = await enrolled('Bob', 'admin')
    const other = flavour === 'postgres' ? await stores.another() : stores.one
    const results = await Promise.allSettled([
      access.setEnabled(ada.actor, bob.actor.id, false, 'x'),
      parts(other).setEnabled(bob.actor, ada.actor.id, false, 'x'),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const left = (await stores.one.operators.list()).filter((row) => row.disabled_ms === null && row.name !== 'Cy')
    expect(left.length).toBe(1)
    await access.setEnabled(null, left[0]?.id ?? '', false, null)
  })

  test('an operator is offered no second passkey on one authenticator', async () => {
    const { authenticator } = await enrolled('Ada', 'admin')
    const access = parts(stores.one)
    const token = await invited('Ada', null)
    const offered = await access.invitationOptions(token)
    expect(offered.options.excludeCredentials).toMatchObject([{ id: authenticator.id, transports: ['internal'] }])
    const again = authenticator.create(asked(offered))
    await expect(access.acceptInvitation({ token, passkey_name: 'x', passkey: again })).rejects.toMatchObject(REFUSED)
  })
})
