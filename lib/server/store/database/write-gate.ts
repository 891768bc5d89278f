/**
 * Keeps writes back while the server answers none: it waits for a standby that does not come, or it hangs. The server
 * keeps a session for each write that waits, also after the instance has given up and opened another connection. Without
 * the gate such sessions would soon be all that the server accepts, and nothing could be read either.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export class SilentWritesError extends Error {
  override readonly name = 'SilentWritesError'
  /** PostgreSQL's code for a server that cannot be used now. */
  readonly code = '57P03'

  constructor() {
    super('PostgreSQL does not answer writes: perhaps its synchronous standby is away')
  }
}

export interface WriteGate {
  readonly isClosed: boolean
  /** A write was given up, or its outcome is unknown. */
  close(): void
  /** A commit is certain. */
  open(): void
  /**
   * Before a write.
   * @throws SilentWritesError while the gate is closed and no probe is answered soon
   */
  pass(): Promise<void>
}

/** How long a write waits for a probe. */
const PASS_MS = 1000
const PROBE_EVERY_MS = 250

/** @param probe commits a write that anyone may repeat; it must end by itself */
export function writeGate(probe: () => Promise<void>): WriteGate {
  let isClosed = false
  let probing: Promise<void> | null = null
  let nextMs = 0

  const probeOnce = async (): Promise<void> => {
    try {
      await probe()
      isClosed = false
    } catch {
      nextMs = performance.now() + PROBE_EVERY_MS
    }
    probing = null
  }

  const passAfterProbe = async (): Promise<void> => {
    if (probing === null && performance.now() >= nextMs) probing = probeOnce()
    if (probing !== null) await Promise.race([probing, sleep(PASS_MS, undefined, { ref: false })])
    if (isClosed) throw new SilentWritesError()
  }

  return {
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
    },
    open() {
      isClosed = false
    },
    async pass() {
      if (isClosed) await passAfterProbe()
    },
  }
}
