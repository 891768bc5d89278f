import { Problem } from '#lib/contract/problems.ts'

/** Bytes of one body, counted while it is not known whose they are. */
export interface Meter {
  /** @throws Problem `store_unavailable` where the process holds too many */
  add(bytes: number): void
  /** They are known, or gone. */
  release(): void
}

export interface ByteBudgetOptions {
  /** Most bytes that the process holds. */
  readonly most: number
  /** A body above this size is refused from half of that on, so that a few large ones cannot keep out the small ones. */
  readonly small: number
}

export interface ByteBudget {
  /** Bytes that are counted now. */
  held(): number
  /** For one body. */
  meter(): Meter
}

/** Bounds what unverified bodies take of the process together. */
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
