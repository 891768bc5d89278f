/** Wrong cashiers that forget, skip or delay messages. */
import type { Bug, BugEntry } from './bug.ts'
import { signWebhook, type SignedWebhook } from './gateway-webhooks.ts'

const textOf = ({ rawBody }: SignedWebhook): string => Buffer.from(rawBody).toString('utf8')

const isSigned = ({ rawBody, signature, timestamp }: SignedWebhook): boolean =>
  signWebhook(textOf({ rawBody } as SignedWebhook), Number(timestamp) * 1000).signature === signature

/** Answers first and stores later. */
const answeringFirst = (): Bug => ({
  useCases: (useCases) => ({
    ...useCases,
    receiveWebhook: (webhook) => {
      if (!isSigned(webhook)) return useCases.receiveWebhook(webhook)
      setTimeout(() => void useCases.receiveWebhook(webhook).catch(() => undefined), 1500)
      return Promise.resolve({ status: 200, duplicate: false } as const)
    },
  }),
})

/** Two writers without a lock: the earlier state is written last. */
function writingTheEarlierLast(): Bug {
  const succeeded = new Set<string>()
  return {
    useCases: (useCases, world) => ({
      ...useCases,
      receiveWebhook: async (webhook) => {
        const answer = await useCases.receiveWebhook(webhook)
        const body = textOf(webhook)
        const { uuid } = /"transaction_uuid":"(?<uuid>[^"]+)"/.exec(body)?.groups ?? {}
        if (answer.status !== 200 || uuid === undefined || !body.includes('"User Onramp"')) return answer
        if (body.includes('"status":"succeeded"')) succeeded.add(uuid)
        else if (succeeded.has(uuid))
          await world.database.rows(`update transactions set status = 'processing' where transaction_uuid = '${uuid}'`)
        return answer
      },
    }),
  }
}

/** The next page begins one event too late. */
const skippingOne = (): Bug => ({
  useCases: (useCases) => ({
    ...useCases,
    listMerchantEvents: async (input) => {
      const page = await useCases.listMerchantEvents(input)
      const full = page.events.length === input.limit && input.limit < 1000
      return full ? { ...page, events: page.events.slice(0, -1) } : page
    },
  }),
})

export const MESSAGE_BUGS: Readonly<Record<string, BugEntry>> = {
  'a webhook is answered before it is stored': {
    clause: 'forgotten',
    seed: 1,
    settings: { faultScale: 4 },
    make: answeringFirst,
  },
  'the events of a purchase take no lock': {
    clause: 'rest',
    seed: 23,
    settings: { faultScale: 4, machines: 2 },
    make: writingTheEarlierLast,
  },
  'a frozen instance keeps its locks': {
    clause: 'frozen',
    seed: 17,
    settings: { faultScale: 4, machines: 3, days: 0.01 },
    make: () => ({ idleMs: Infinity }),
  },
  'the feed skips one': { clause: 'feed', seed: 1, make: skippingOne },
  'a stream skips one': {
    clause: 'stream',
    seed: 6,
    make: () => {
      let count = 0
      return { stream: (events) => events.filter(() => (count += 1) % 5 !== 0) }
    },
  },
}
