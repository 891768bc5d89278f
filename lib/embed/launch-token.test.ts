import { expect, test } from 'vitest'
import { askLaunchToken } from './launch-token.ts'

const ask = (give: () => unknown) => askLaunchToken(give as () => Promise<string>)

test('a token is handed on as it is, from a promise or at once', async () => {
  expect(await ask(async () => 'eyJ.a-b_c')).toEqual({ token: 'eyJ.a-b_c' })
  expect(await ask(() => 'eyJ.a-b_c')).toEqual({ token: 'eyJ.a-b_c' })
})

test.each([[undefined], [null], [''], ['two words'], ['line\nfeed'], [{ launch_token: 'x' }], ['x'.repeat(2049)]])(
  '%j is no token',
  async (value) => {
    expect(await ask(async () => value)).toEqual({ fault: 'fetchLaunchToken gave what is no launch token' })
  },
)

test('a failure is told with its message, thrown or rejected', async () => {
  const fault = 'fetchLaunchToken failed: signed out'
  expect(await ask(() => Promise.reject(new Error('signed out')))).toEqual({ fault })
  expect(
    await ask(() => {
      throw new Error('signed out')
    }),
  ).toEqual({ fault })
})
