import { expect, test } from 'vitest'
import { requestLaunchToken } from './options.ts'

const ask = (give: () => unknown) => requestLaunchToken(give as () => Promise<string>)

test('a token is returned unchanged, from a promise or a plain value', async () => {
  expect(await ask(async () => 'eyJ.a-b_c')).toEqual({ token: 'eyJ.a-b_c' })
  expect(await ask(() => 'eyJ.a-b_c')).toEqual({ token: 'eyJ.a-b_c' })
})

test.each([[undefined], [null], [''], ['two words'], ['line\nfeed'], [{ launch_token: 'x' }], ['x'.repeat(2049)]])(
  '%j is not a token',
  async (value) => {
    expect(await ask(async () => value)).toEqual({ fault: 'fetchLaunchToken did not return a launch token' })
  },
)

test('a fault has the message of the error, thrown or rejected', async () => {
  const fault = 'fetchLaunchToken failed: signed out'
  expect(await ask(() => Promise.reject(new Error('signed out')))).toEqual({ fault })
  expect(
    await ask(() => {
      throw new Error('signed out')
    }),
  ).toEqual({ fault })
})
