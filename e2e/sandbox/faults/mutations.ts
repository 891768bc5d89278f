import type { AuthRefusal } from '../auth/refusals.ts'
import type { OperationName } from '../operations/operation-names.ts'
import type { Reply } from '../operations/reply.ts'

type Body = Readonly<Record<string, unknown>>

/** How a deliberately faulty gateway differs from the spec. */
interface Difference {
  readonly skips?: readonly AuthRefusal[]
  readonly normalise?: (body: string) => string
  /** What the operation sees instead of what was sent. */
  readonly body?: (body: Body, operation: OperationName) => Body
  readonly reply?: (reply: Reply, operation: OperationName) => Reply
  readonly event?: (text: string) => string
}

/** Sandboxes with these are to be found faulty by the conformance suite. */
export const MUTATIONS = {
  accepts_reused_nonce: { skips: ['nonce_used'] },
} as const satisfies Readonly<Record<string, Difference>>

export type Mutation = keyof typeof MUTATIONS

const differences = (mutations: ReadonlySet<Mutation>): readonly Difference[] =>
  [...mutations].map((name) => MUTATIONS[name])

export const skippedRules = (mutations: ReadonlySet<Mutation>): ReadonlySet<AuthRefusal> =>
  new Set(differences(mutations).flatMap(({ skips = [] }) => skips))

export const mutateBody = (mutations: ReadonlySet<Mutation>, body: Body, operation: OperationName): Body =>
  differences(mutations).reduce((seen, difference) => difference.body?.(seen, operation) ?? seen, body)

export const mutateReply = (mutations: ReadonlySet<Mutation>, reply: Reply, operation: OperationName): Reply =>
  differences(mutations).reduce((seen, difference) => difference.reply?.(seen, operation) ?? seen, reply)

export const mutateEvent = (mutations: ReadonlySet<Mutation>, text: string): string =>
  differences(mutations).reduce((seen, difference) => difference.event?.(seen) ?? seen, text)

export const normaliser = (
  mutations: ReadonlySet<Mutation>,
  usual: (body: string) => string,
): ((body: string) => string) => differences(mutations).find(({ normalise }) => normalise)?.normalise ?? usual
