/** The demo's troubles come about by themselves, within a minute. */
import { expect, test, vi } from 'vitest'
import { EXCEPTION_KINDS, exceptionsReply, type ExceptionKind } from '#lib/contract/operate/exceptions.ts'
import { startDemoReceiver } from '../../scripts/demo-receiver.ts'
import { invitationOf, NOT_SEEDED, seedTroubles, TROUBLES_SETTINGS } from '../../scripts/demo-troubles.ts'
import { freePort } from '../../scripts/free-port.ts'
import { signInByInvitation } from './sign-in-by-invitation.ts'
import { startSystem } from './start-system.ts'

/** What the session of an operator reads who accepts the invitation. */
async function signIn(publicUrl: string, invitation: string): Promise<(path: string) => Promise<unknown>> {
  const cookie = await signInByInvitation(invitation)
  return async (path) => {
    const answer = await fetch(`${publicUrl}/api/operate/${path}`, { headers: { cookie } })
    return (await answer.json()) as unknown
  }
}

test('the console shows one of each trouble that a demo can have', { timeout: 120_000 }, async () => {
  const receiver = await startDemoReceiver(await freePort(), null)
  const system = await startSystem({ cashier: { ...TROUBLES_SETTINGS, MERCHANT_WEBHOOK_URL: receiver.url } })
  try {
    const { publicUrl, databaseUrl, merchantApiKey, control } = system
    const read = await signIn(publicUrl, await invitationOf(system.cashiers[0].env))
    const options = {
      cashierUrl: publicUrl,
      databaseFile: databaseUrl.slice('file:'.length),
      merchantApiKey,
      refused: receiver.refused,
      control: (...call: Parameters<typeof control.call>) => control.call(...call),
    }
    expect(await seedTroubles(options)).toBe(true)
    const shown = async (): Promise<readonly ExceptionKind[]> => {
      const { exceptions } = exceptionsReply.parse(await read('exceptions'))
      return exceptions.filter(({ count }) => count >= 1).map(({ kind }) => kind)
    }
    const wanted = EXCEPTION_KINDS.filter((kind) => NOT_SEEDED[kind] === undefined)
    await vi.waitFor(async () => expect(await shown()).toEqual(wanted), {
      timeout: 60_000,
      interval: 500,
    })
    expect(await seedTroubles(options)).toBe(false)
  } finally {
    await system.close()
    await receiver.close()
  }
})
