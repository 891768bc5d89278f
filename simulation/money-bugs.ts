/** Wrong cashiers that lose, double or give back money. */
import type { Bug, BugEntry, BugPlace } from './bug.ts'
import { amountText, unitsOf, type Units } from './amounts.ts'
import { signWebhook, type SignedWebhook } from './gateway-webhooks.ts'
import type { UseCases } from './instance.ts'
import type { Machine } from './machine.ts'
import type { Wire, WireRequestSent } from './virtual-request.ts'

const WITHDRAW = '/v1/user/withdraw'
const LIST = '/v1/user/transactions'

const textOf = ({ rawBody }: SignedWebhook): string => Buffer.from(rawBody).toString('utf8')

/** Gives the cashier a different body than the gateway sent, with a valid signature. */
const rewriting = (useCases: UseCases, rewrite: (body: string) => string): UseCases => ({
  ...useCases,
  receiveWebhook: (webhook) => {
    const before = textOf(webhook)
    const after = rewrite(before)
    return useCases.receiveWebhook(before === after ? webhook : signWebhook(after, Number(webhook.timestamp) * 1000))
  },
})

interface ListBody {
  readonly edges: readonly { readonly node: { readonly transaction_uuid: string } }[]
  readonly page_info: unknown
  readonly total_count: number
}

/** Gives the cashier a different list than the gateway's. */
const rewritingList = (wire: Wire, rewrite: (list: ListBody, user: string) => ListBody): Wire => ({
  isOpen: (machine) => wire.isOpen(machine),
  send: (machine, request, done) =>
    wire.send(machine, request, (outcome) => {
      const readable = typeof outcome !== 'string' && outcome.status === 200 && outcome.body.startsWith('{"edges"')
      if (!request.path.endsWith(LIST) || !readable) {
        done(outcome)
        return
      }
      const user = String((JSON.parse(request.body) as Record<string, unknown>)['user_reference_id'])
      done({ ...outcome, body: JSON.stringify(rewrite(JSON.parse(outcome.body) as ListBody, user)) })
    }),
})

/** The list without these transactions, as if they had never been made. */
const hiding = (wire: Wire, world: BugPlace, isHidden: (uuid: string) => boolean): Wire =>
  rewritingList(wire, (list, user) => {
    const edges = list.edges.filter(({ node }) => !isHidden(node.transaction_uuid))
    const hidden = world.gateway.movements.filter((one) => one.user === user && isHidden(one.uuid)).length
    return { ...list, edges, total_count: list.total_count - hidden }
  })

/** Repeats the withdraw call of a crashed machine. */
function sendingAgain(): Bug {
  const underWay = new Map<WireRequestSent, Machine>()
  return {
    wire: (wire) => ({
      isOpen: (machine) => wire.isOpen(machine),
      send: (machine, request, done) => {
        if (request.path.endsWith(WITHDRAW)) underWay.set(request, machine)
        wire.send(machine, request, (outcome) => {
          if (machine.alive) underWay.delete(request)
          done(outcome)
        })
      },
    }),
    started: (world) => {
      for (const [request, machine] of underWay)
        if (!machine.alive && underWay.delete(request)) world.gateway.answer(request.path, request.body)
    },
  }
}

/** Books the difference if a second event of the same status has another amount. */
function replacingConflicts(): Bug {
  const first = new Map<string, Units>()
  return {
    useCases: (useCases) => ({
      ...useCases,
      receiveWebhook: async (webhook) => {
        const answer = await useCases.receiveWebhook(webhook)
        if (answer.status !== 200) return answer
        const [, digits = '0'] = /"amount":([\d.]+)/.exec(textOf(webhook)) ?? []
        const body = JSON.parse(textOf(webhook)) as {
          readonly event: string
          readonly user_reference: string
          readonly transaction?: {
            readonly id: string
            readonly status: string
            readonly currency: { readonly id: string }
          }
        }
        const { transaction } = body
        if (body.event !== 'User Deposit' || transaction?.status !== 'succeeded') return answer
        const units = unitsOf(digits)
        const before = first.get(transaction.id) ?? units
        first.set(transaction.id, before)
        if (units !== before)
          await useCases.adjustBalance(body.user_reference, {
            currency_id: transaction.currency.id,
            amount: amountText(units - before),
            reference: `replaced-${transaction.id}`,
          } as never)
        return answer
      },
    }),
  }
}

/** Changes a balance, and forgets the posting. */
function forgettingAPosting(): Bug {
  let taken = 0
  return {
    useCases: (useCases, world) => ({
      ...useCases,
      receiveWebhook: async (webhook) => {
        const answer = await useCases.receiveWebhook(webhook)
        taken += 1
        if (taken % 10 === 0)
          await world.database.rows('delete from postings where id = (select max(id) from postings)')
        return answer
      },
    }),
  }
}

/** Reads a deposit in the list only if one of its webhooks arrived in time. */
function forgettingStale(): Bug {
  const fresh = new Set<string>()
  return {
    useCases: (useCases, world) => ({
      ...useCases,
      receiveWebhook: (webhook) => {
        const { uuid } = /"transaction_uuid":"(?<uuid>[^"]+)"/.exec(textOf(webhook))?.groups ?? {}
        if (world.gateway.now() - Number(webhook.timestamp) * 1000 < 300_000) fresh.add(uuid ?? '')
        return useCases.receiveWebhook(webhook)
      },
    }),
    wire: (wire, world) => {
      const isDeposit = (uuid: string): boolean =>
        world.gateway.movements.some((one) => one.uuid === uuid && one.kind === 'deposit')
      return hiding(wire, world, (uuid) => isDeposit(uuid) && !fresh.has(uuid))
    },
  }
}

const EMBEDDED = { ledgerMode: 'embedded', faultScale: 2 } as const

export const MONEY_BUGS: Readonly<Record<string, BugEntry>> = {
  'the page sends a review again under a new key': {
    clause: 'once',
    seed: 1,
    settings: EMBEDDED,
    make: () => ({
      page: (newKey) => ({
        start: () => Promise.resolve(newKey()),
        fail: () => undefined,
        record: () => undefined,
        edit: () => undefined,
        show: () => undefined,
      }),
    }),
  },
  'a withdraw call is repeated after a crash': { clause: 'once', seed: 17, settings: EMBEDDED, make: sendingAgain },
  'an event of another merchant credits': {
    clause: 'credit',
    seed: 3,
    settings: { ...EMBEDDED, pinned: true },
    make: () => ({
      useCases: (useCases) => rewriting(useCases, (body) => body.replace('"merchant-2"', '"merchant-1"')),
    }),
  },
  'an on-ramp and its deposit both credit': {
    clause: 'credit',
    seed: 12,
    settings: EMBEDDED,
    make: () => ({
      useCases: (useCases) =>
        rewriting(useCases, (body) =>
          body.includes('"User Onramp"') ? body.replace('"tx_hash":"0x', '"tx_hash":"0xdead') : body,
        ),
    }),
  },
  'a stale webhook is never looked up': {
    clause: 'credit',
    seed: 2,
    settings: { ...EMBEDDED, faultScale: 4 },
    make: forgettingStale,
  },
  'a conflict replaces the first': {
    clause: 'nothing else',
    seed: 3,
    settings: { ...EMBEDDED, faultScale: 4 },
    make: replacingConflicts,
  },
  'absence ignores an unmatched payout': {
    clause: 'hold',
    seed: 20,
    settings: { ...EMBEDDED, faultScale: 4 },
    make: () => ({
      wire: (wire, world) => {
        const changed = (uuid: string): boolean =>
          world.gateway.movements.some(
            (one) => one.uuid === uuid && one.askedBy !== null && !one.askedBy.includes(` ${one.units} `),
          )
        return hiding(wire, world, changed)
      },
    }),
  },
  'nobody is told that a backup was restored': {
    clause: 'once',
    seed: 13,
    settings: { ...EMBEDDED, maintenance: 'restored' },
    make: () => ({ forgetsRestore: true }),
  },
  'a posting is forgotten': { clause: 'books', seed: 1, settings: EMBEDDED, make: forgettingAPosting },
}
