import type { Check } from './check.ts'
import { currencyList } from './shapes.ts'
import { assertThat, assertSame, parseAs, assertStatus } from './assertions.ts'

const PATH = '/v1/merchant/currencies'

/** Spec, GET /v1/merchant/currencies. */
export const currencyChecks: readonly Check[] = [
  {
    name: 'the list is an array, or an object with currencies',
    async run({ call }) {
      const answer = await call('GET', PATH)
      assertStatus(answer, 200)
      const listed = parseAs(currencyList, answer.json, 'the list')
      assertThat(listed.length > 0, 'no currency is enabled')
    },
  },
  {
    name: 'each currency has its own id',
    async run({ currencies }) {
      const ids = (await currencies()).map(({ id }) => id)
      assertSame(new Set(ids).size, ids.length, 'different ids')
    },
  },
  {
    name: 'the list is the same in both forms',
    needsControl: true,
    async run({ call, control }) {
      const inForm = async (form: string): Promise<unknown> => {
        await control.call('PATCH', '/modes', { currencies_form: form })
        return (await call('GET', PATH)).json
      }
      try {
        const [array, object] = [await inForm('array'), await inForm('object')]
        assertThat(Array.isArray(array), 'the array form is not an array')
        assertSame(object, { currencies: array }, 'the object form')
      } finally {
        await control.call('PATCH', '/modes', { currencies_form: control.modes['currencies_form'] })
      }
    },
  },
]
