/** Runs each program of examples/backends with a cashier and a sandbox gateway. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { startSupervised, type SupervisedProcess } from '../../scripts/supervised-process.ts'
import { openPage } from '../system/page.ts'
import { startSystem, type System } from '../system/start-system.ts'
import { BACKENDS, copyBackend, isHere, surroundings } from './example-backends.ts'
import { openFeedRecorder } from './feed-recorder.ts'

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

for (const backend of BACKENDS) {
  const here = isHere(backend)
  describe.skipIf(!here)(`${backend.name}${here ? '' : ' (not on this machine)'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), `cashier-deployment-${backend.name}-`))
    let system: System
    let program: SupervisedProcess | undefined
    let url: string
    let follower: ChildProcess | undefined
    let launch: (changes?: Readonly<Record<string, string>>) => Promise<void>
    let stop: () => Promise<void>

    beforeAll(async () => {
      const port = await freePort()
      url = `http://127.0.0.1:${port}`
      system = await startSystem({
        cashier: { MERCHANT_WEBHOOK_URL: `${url}/webhook`, MERCHANT_AUTHORIZE_URL: `${url}/authorize` },
      })
      copyBackend(backend, folder)
      const [command, ...args] = backend.start(folder, port)
      const env = {
        ...surroundings(folder, port),
        CASHIER_URL: system.publicUrl,
        MERCHANT_API_KEY: system.merchantApiKey,
        MERCHANT_WEBHOOK_SECRET: system.webhookSecret,
      }
      launch = async (changes = {}) => {
        const changed = { ...env, ...changes }
        const ready = backend.ready ?? /listening on/
        program = await startSupervised({ command, args, env: changed, cwd: folder, ready })
        const [follows, ...more] = backend.follower ?? []
        if (follows !== undefined) follower = spawn(follows, more, { env: changed, cwd: folder, stdio: 'inherit' })
      }
      stop = async () => {
        follower?.kill()
        await program?.stop()
      }
      await launch()
    })
    afterAll(async () => {
      await stop()
      await system.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const signIn = (user: string) => ({ cookie: `user=${user}` })
    const balance = async (user: string): Promise<unknown> =>
      (await fetch(`${url}/balance`, { headers: signIn(user) })).json()
    const eventually = (check: () => Promise<void>) => vi.waitFor(check, { interval: 100 })

    /** Sends an event to the backend, signed like the cashier's events. */
    const send = (body: object, { secret = system.webhookSecret, ageS = 0, path = '/webhook' } = {}) => {
      const [text, id, at] = [JSON.stringify(body), `msg_${randomUUID()}`, new Date(Date.now() - ageS * 1000)]
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, text),
      }
      return fetch(url + path, { method: 'POST', headers, body: text })
    }
    const event = (user: string, change: object) => ({
      type: 'transaction.updated',
      timestamp: new Date().toISOString(),
      cursor: '0-1',
      data: {
        transaction_uuid: randomUUID(),
        kind: 'deposit',
        status: 'succeeded',
        amount: '1.000000000000000001',
        currency_code: 'ETH',
        network: 'Ethereum',
        tx_hash: '0xabc',
        updated_at: new Date().toISOString(),
        user_reference_id: user,
        source: 'webhook',
        ...change,
      },
    })

    /** Asks the backend whether a withdrawal may be made. */
    const ask = async (user: string, change: { withdrawal_id: string; amount: string }): Promise<unknown> => {
      const currency = { id: system.currency('ETH Ethereum'), currency_code: 'ETH', network: 'Ethereum' }
      const asked = { user_reference_id: user, currency, wallet_address: ADDRESS, ...change }
      return (await send(asked, { path: '/authorize' })).json()
    }

    /** A new user of the backend, with a token that the backend requested. */
    const visitor = async () => {
      const user = `user-${randomUUID()}`
      const answer = await fetch(`${url}/cashier-token`, { method: 'POST', headers: signIn(user) })
      const { launch_token } = (await answer.json()) as { launch_token: string }
      return { user, launch_token }
    }

    test('it serves the page, signs in, and gets a token that launches the cashier', async () => {
      expect(await (await fetch(url)).text()).toContain(`<script src="${system.publicUrl}/embed.js">`)
      const signedIn = await fetch(`${url}/sign-in?user=mira`, { redirect: 'manual' })
      expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('user=mira')])
      expect((await fetch(`${url}/cashier-token`, { method: 'POST' })).status).toBe(401)
      const { launch_token } = await visitor()
      const form = new URLSearchParams({ launch_token })
      const launched = await fetch(`${system.publicUrl}/launch`, { method: 'POST', redirect: 'manual', body: form })
      expect(launched.status).toBe(303)
    })

    test('a deposit is booked once, also after a restart of the backend', async () => {
      const { user } = await visitor()
      const [currency_id, amount] = [system.currency('ETH Ethereum'), '1.000000000000000001']
      await system.control.detectDeposit({ user_reference: user, currency_id, amount, confirm: true })
      await eventually(async () => expect(await balance(user)).toEqual({ 'ETH Ethereum': amount }))
      const { events } = (await (await system.merchant.call('GET', '/events?limit=1000')).json()) as {
        events: { cursor: string; data: { user_reference_id: string } }[]
      }
      const cursors = events.filter(({ data }) => data.user_reference_id === user).map(({ cursor }) => cursor)
      expect((await system.merchant.call('POST', '/redeliveries', { cursors })).status).toBe(202)
      await stop()
      await launch()
      const own = events.find(
        ({ data }) => data.user_reference_id === user && 'status' in data && data.status === 'succeeded',
      )
      const again = event(user, own?.data ?? {})
      expect((await send(again)).status).toBe(200)
      expect((await send(again)).status).toBe(200)
      expect(await balance(user)).toEqual({ 'ETH Ethereum': amount })
    })

    test('a deposit that is told again with more digits is booked exactly, whatever comes again', async () => {
      const user = `user-${randomUUID()}`
      const told = {
        transaction_uuid: randomUUID(),
        amount: '0.12345678901234568',
        updated_at: '2026-11-20T12:00:00.000Z',
      }
      const exact = { ...told, amount: '0.123456789012345678', updated_at: '2026-11-20T12:00:01.000Z' }
      for (const change of [told, exact, told, exact]) expect((await send(event(user, change))).status).toBe(200)
      expect(await balance(user)).toEqual({ 'ETH Ethereum': exact.amount })
    })

    test('a deposit with more digits than a balance keeps is worth no more', async () => {
      const user = `user-${randomUUID()}`
      const kept = '0.123456789012345678901234567891'
      expect((await send(event(user, { amount: `${kept}2345` }))).status).toBe(200)
      expect([{ 'ETH Ethereum': kept }, { 'ETH Ethereum': `${kept}2345` }]).toContainEqual(await balance(user))
    })

    test('forged, changed and old events are refused and book nothing', async () => {
      const user = `user-${randomUUID()}`
      const forged = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`
      expect((await send(event(user, {}), { secret: forged })).status).toBe(401)
      expect((await send(event(user, {}), { ageS: 400 })).status).toBe(401)
      expect((await fetch(`${url}/webhook`, { method: 'POST', body: JSON.stringify(event(user, {})) })).status).toBe(
        401,
      )
      expect((await fetch(`${url}/authorize`, { method: 'POST', body: '{}' })).status).toBe(401)
      expect(await balance(user)).toEqual({})
    })

    test('only the deposit of a purchase is booked, and other events are accepted and book nothing', async () => {
      const user = `user-${randomUUID()}`
      for (const change of [
        { kind: 'onramp' },
        {},
        { status: 'processing' },
        { kind: 'onramp', amount: null, status: 'pending' },
      ])
        expect((await send(event(user, change))).status).toBe(200)
      expect((await send({ type: 'test', timestamp: new Date().toISOString(), data: {} })).status).toBe(200)
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '1.000000000000000001' })
    })

    test('a withdrawal is approved if the balance is enough, and reserved once', async () => {
      const { user } = await visitor()
      await send(event(user, { amount: '3' }))
      const session = await system.merchant.createSession({ user_reference_id: user })
      const page = await openPage({ url: system.publicUrl, publicUrl: system.publicUrl, session })
      const order = { currency_id: system.currency('ETH Ethereum'), wallet_address: ADDRESS }
      const approved = await page.withdraw({ ...order, amount: '1.25' })
      expect([approved.status, approved.body.status]).toEqual([201, 'processing'])
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '1.75' })
      const declined = await page.withdraw({ ...order, amount: '2' })
      expect([declined.status, declined.body.detail]).toEqual([403, 'Not enough balance.'])
      const asked = { withdrawal_id: approved.body.id, amount: '1.25' }
      expect(await ask(user, asked)).toEqual({ decision: 'approve' })
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '1.75' })
    })

    test('a large withdrawal is postponed and reserved; a person who declines it gives it back', async () => {
      const { user } = await visitor()
      await send(event(user, { amount: '500' }))
      const session = await system.merchant.createSession({ user_reference_id: user })
      const page = await openPage({ url: system.publicUrl, publicUrl: system.publicUrl, session })
      const currency_id = system.currency('ETH Ethereum')
      const postponed = await page.withdraw({ currency_id, wallet_address: ADDRESS, amount: '101' })
      expect([postponed.status, postponed.body.status]).toEqual([201, 'pending_authorization'])
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '399' })
      const path = `/withdrawals/${postponed.body.id}/authorization`
      expect((await system.merchant.call('POST', path, { decision: 'decline' })).status).toBe(200)
      await eventually(async () => expect(await balance(user)).toEqual({ 'ETH Ethereum': '500' }))
    })

    test('while every webhook is refused the feed brings the deposit, by a kept cursor, and from the start if that is lost', async () => {
      await using feed = await openFeedRecorder(system.publicUrl)
      const other = `whsec_${Buffer.from('y'.repeat(32)).toString('base64')}`
      const { user } = await visitor()
      await stop()
      await launch({ MERCHANT_WEBHOOK_SECRET: other, CASHIER_URL: feed.url })
      const [currency_id, amount] = [system.currency('ETH Ethereum'), '0.5']
      await system.control.detectDeposit({ user_reference: user, currency_id, amount, confirm: true })
      const booked = () =>
        vi.waitFor(async () => expect(await balance(user)).toEqual({ 'ETH Ethereum': amount }), { timeout: 20_000 })
      await booked()

      await stop()
      const before = feed.cursors.length
      await launch({ MERCHANT_WEBHOOK_SECRET: other, CASHIER_URL: feed.url })
      await vi.waitFor(() => expect(feed.cursors.length).toBeGreaterThan(before), { timeout: 20_000 })
      expect(feed.cursors[before]).toMatch(/^\S+$/)

      const lost = feed.cursors.length
      feed.loseCursor()
      await vi.waitFor(() => expect(feed.cursors.slice(lost)).toContain(null), { timeout: 20_000 })
      await vi.waitFor(() => expect(feed.cursors.at(-1)).not.toBe(null), { timeout: 20_000 })
      await booked()
      await stop()
      await launch()
    }, 90_000)

    test("the doctor's test authorization is approved and books nothing", async () => {
      const user = `user-${randomUUID()}`
      const currency = { id: '00000000-0000-0000-0000-000000000000', currency_code: 'TEST', network: 'TEST' }
      const asked = {
        withdrawal_id: `test_${randomUUID()}`,
        user_reference_id: user,
        amount: '0',
        currency,
        wallet_address: 'test',
      }
      expect(await (await send(asked, { path: '/authorize' })).json()).toEqual({ decision: 'approve' })
      expect(await balance(user)).toEqual({})
    })

    test('a question that comes after its withdrawal has failed reserves nothing', async () => {
      const user = `user-${randomUUID()}`
      await send(event(user, { amount: '3' }))
      const withdrawal_id = randomUUID()
      const failed = { kind: 'payout', withdrawal_id, transaction_uuid: null, amount: '3', status: 'failed' }
      for (let times = 0; times < 2; times += 1) await send(event(user, failed))
      expect(await ask(user, { withdrawal_id, amount: '3' })).toMatchObject({ decision: 'decline' })
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '3' })
    })

    test('a failed withdrawal is given back once, and debited again if it was paid after all', async () => {
      const user = `user-${randomUUID()}`
      await send(event(user, { amount: '3' }))
      const withdrawal_id = randomUUID()
      expect(await ask(user, { withdrawal_id, amount: '3' })).toEqual({ decision: 'approve' })
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '0' })
      const payout = { kind: 'payout', withdrawal_id, transaction_uuid: null, amount: '3' }
      for (let times = 0; times < 2; times += 1) await send(event(user, { ...payout, status: 'failed' }))
      await send(event(user, { ...payout, withdrawal_id: randomUUID(), status: 'failed' }))
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '3' })
      for (let times = 0; times < 2; times += 1) await send(event(user, { ...payout, status: 'succeeded' }))
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '0' })
    })

    test('a paid withdrawal stays paid, whatever a restored cashier tells or asks again', async () => {
      const user = `user-${randomUUID()}`
      await send(event(user, { amount: '3' }))
      const withdrawal_id = randomUUID()
      expect(await ask(user, { withdrawal_id, amount: '2' })).toEqual({ decision: 'approve' })
      const payout = { kind: 'payout', withdrawal_id, transaction_uuid: null, amount: '2' }
      for (const status of ['succeeded', 'failed', 'succeeded']) await send(event(user, { ...payout, status }))
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '1' })
      expect(await ask(user, { withdrawal_id, amount: '2' })).toMatchObject({ decision: 'decline' })
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '1' })
    })

    test('a withdrawal that was given back is not approved again', async () => {
      const user = `user-${randomUUID()}`
      await send(event(user, { amount: '3' }))
      const withdrawal_id = randomUUID()
      expect(await ask(user, { withdrawal_id, amount: '2' })).toEqual({ decision: 'approve' })
      const failed = { kind: 'payout', withdrawal_id, transaction_uuid: null, amount: '2', status: 'failed' }
      await send(event(user, { ...failed, network: 'Ethereum Mainnet' }))
      expect(await ask(user, { withdrawal_id, amount: '2' })).toMatchObject({ decision: 'decline' })
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '3' })
    })

    test('a withdrawal that was declined, and was paid after all, is debited', async () => {
      const user = `user-${randomUUID()}`
      await send(event(user, { amount: '3' }))
      const payout = { kind: 'payout', withdrawal_id: randomUUID(), transaction_uuid: null, amount: '2' }
      for (const status of ['failed', 'succeeded', 'succeeded']) await send(event(user, { ...payout, status }))
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '1' })
    })

    test('a deposit that first names nobody belongs to the user that it names later', async () => {
      const user = `user-${randomUUID()}`
      const told = { transaction_uuid: randomUUID(), amount: '1.5' }
      await send(event(user, { ...told, user_reference_id: null, updated_at: '2026-11-20T12:00:00.000Z' }))
      expect(await balance(user)).toEqual({})
      await send(event(user, { ...told, updated_at: '2026-11-20T12:00:01.000Z' }))
      expect(await balance(user)).toEqual({ 'ETH Ethereum': '1.5' })
    })
  })
}

for (const backend of BACKENDS) {
  describe.skipIf(!isHere(backend))(`${backend.name} without a proper secret`, () => {
    const folder = mkdtempSync(join(tmpdir(), `cashier-deployment-${backend.name}-`))
    let port: number
    let command: readonly [string, ...string[]]

    beforeAll(async () => {
      port = await freePort()
      copyBackend(backend, folder)
      command = backend.start(folder, port)
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test.each([
      ['no secret', undefined],
      ['an empty one', ''],
      ['only a prefix', 'whsec_'],
      ['not Base64', 'whsec_%%%'],
    ])('with %s it accepts nothing, and says why', async (_name, secret) => {
      const [program, ...args] = command
      const env = {
        ...surroundings(folder, port),
        CASHIER_URL: 'http://127.0.0.1:9',
        MERCHANT_API_KEY: 'key',
        ...(secret !== undefined && { MERCHANT_WEBHOOK_SECRET: secret }),
      }
      const launch = { command: program, args, env, cwd: folder, ready: backend.ready ?? /listening on/ }
      const why = /MERCHANT_WEBHOOK_SECRET is missing or malformed/
      const started = await startSupervised(launch).catch(String)
      if (typeof started === 'string') {
        expect([started, backend.runsByRequest]).toEqual([expect.stringMatching(why), undefined])
        return
      }
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body: '{}' })
        expect([backend.runsByRequest, answer.status]).toEqual([true, 500])
        await vi.waitFor(() => expect(started.output()).toMatch(why))
      } finally {
        await started.stop()
      }
    })
  })
}
