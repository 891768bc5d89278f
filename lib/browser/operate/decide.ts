import { queryOptions } from '@tanstack/react-query'
import { payoutDecision, proposalsReply, quarantineLine, withdrawalDecision } from '#lib/contract/operate/decide.ts'
import type { ConsoleClient } from './console-client.ts'

/** Each read is noted in the audit log, so a page does not ask again by itself. */
const ONCE = { staleTime: Infinity, refetchOnWindowFocus: false } as const

/** What a person needs to decide about a withdrawal. */
export const withdrawalDecisionQuery = (client: ConsoleClient, id: string) =>
  queryOptions({
    queryKey: ['decide', 'withdrawal', id],
    queryFn: ({ signal }) => client.get(`withdrawals/${encodeURIComponent(id)}/decision`, withdrawalDecision, signal),
    ...ONCE,
  })

/** A payout, with the withdrawals that it may belong to. */
export const payoutDecisionQuery = (client: ConsoleClient, uuid: string) =>
  queryOptions({
    queryKey: ['decide', 'payout', uuid],
    queryFn: ({ signal }) => client.get(`payouts/${encodeURIComponent(uuid)}`, payoutDecision, signal),
    ...ONCE,
  })

/** A line of the quarantine. */
export const quarantineLineQuery = (client: ConsoleClient, id: string) =>
  queryOptions({
    queryKey: ['decide', 'quarantine', id],
    queryFn: ({ signal }) => client.get(`quarantine/${encodeURIComponent(id)}`, quarantineLine, signal),
    ...ONCE,
  })

/** The proposals that wait for a second person. */
export const proposalsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['decide', 'proposals'],
    queryFn: ({ signal }) => client.get('proposals', proposalsReply, signal),
    refetchInterval: 30_000,
  })
