import { sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { AuthErrorName } from '../auth/auth-errors.ts'
import type { OperationName } from '../operations/operation-names.ts'
import type { Reply } from '../operations/reply.ts'
import type { WebhookHeaders } from '../webhooks/sign-webhook.ts'
import { MUTATIONS } from './mutation-table.ts'
import type { Body, Difference } from './mutation-table.ts'

export type Mutation = keyof typeof MUTATIONS
export type Mutations = ReadonlySet<Mutation>

const differences = (mutations: Mutations): readonly Difference[] => [...mutations].map((name) => MUTATIONS[name])

export const skippedRules = (mutations: Mutations): ReadonlySet<AuthErrorName> =>
  new Set(differences(mutations).flatMap(({ skips = [] }) => skips))

export const normaliser = (mutations: Mutations, usual: (body: string) => string): ((body: string) => string) =>
  differences(mutations).find(({ normalise }) => normalise)?.normalise ?? usual

export const mutateBody = (mutations: Mutations, body: Body, operation: OperationName): Body =>
  differences(mutations).reduce((seen, difference) => difference.body?.(seen, operation) ?? seen, body)

export const mutateReply = (mutations: Mutations, reply: Reply, operation: OperationName): Reply =>
  differences(mutations).reduce((seen, difference) => difference.reply?.(seen, operation) ?? seen, reply)

export const mutateEvent = (mutations: Mutations, text: string): string =>
  differences(mutations).reduce((seen, difference) => difference.event?.(seen) ?? seen, text)

/** The headers of a delivery, signed again if a mutation changes the signed bytes. */
export function mutateDelivery(
  mutations: Mutations,
  body: Buffer,
  headers: WebhookHeaders,
  key: KeyObject,
): WebhookHeaders {
  return differences(mutations).reduce((seen, { timestamp, signed, headers: change }) => {
    const stamped = timestamp?.(seen['x-timestamp']) ?? seen['x-timestamp']
    const text = signed?.(body, stamped) ?? Buffer.concat([body, Buffer.from(stamped)])
    const resigned = timestamp || signed ? sign('sha256', text, key).toString('base64') : seen['x-signature']
    const next: WebhookHeaders = { ...seen, 'x-timestamp': stamped, 'x-signature': resigned }
    return change?.(next) ?? next
  }, headers)
}
