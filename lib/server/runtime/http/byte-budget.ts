import { Problem } from '#lib/contract/problems.ts'

/** Counts the bytes of one body until its sender is verified. */
export interface Meter {
  /** @throws Problem `store_unavailable` if the process holds too many */
  add(bytes: number): void
  /** The sender is verified, or the body is dropped. */
  release(): void
}

export interface ByteBudgetOptions {
  /** The most bytes that the process holds. */
  readonly most: number
  /** A body above this size is refused from half of `most` on, so that a few large bodies cannot block small ones. */
  readonly small: number
}

export interface ByteBudget {
  /** The bytes counted now. */
  held(): number
  /** A meter for one body. */
  meter(): Meter
}

/** Bounds the memory of all unverified bodies together. */
export function byteBudget({ most, small }: ByteBudgetOptions): ByteBudget {
  let held = 0
  return {
    held: () => held,
    meter() {
      let own = 0
      return {
        add(bytes) {
          const limit = own + bytes > small ? most / 2 : most
          if (held + bytes > limit) {
            throw new Problem('store_unavailable', 'Too many bodies are under way. Send it again.', { retryAfterS: 1 })
          }
          own += bytes
          held += bytes
        },
        release() {
          held -= own
          own = 0
        },
      }
    },
  }
}
