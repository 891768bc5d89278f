/** One HTTP exchange of a machine with the gateway: the part of Node's `ClientRequest` that the gateway client uses. */
import { EventEmitter } from 'node:events'
import type { RequestOptions } from 'node:http'
import type { Machine } from './machine.ts'

/** The outcome of a call: a reply, or the failure of the connection. */
export type WireOutcome =
  { readonly status: number; readonly body: string; readonly date: string | null } | 'cut' | 'garbled'

export interface WireRequestSent {
  readonly path: string
  readonly body: string
}

/** The connection to the gateway. */
export interface Wire {
  /** Whether a connection can be opened now. */
  isOpen(machine: Machine): boolean
  /** Carries a request. `done` is called when the outcome reaches the machine; it may never be called. */
  send(machine: Machine, request: WireRequestSent, done: (outcome: WireOutcome) => void): void
}

class VirtualRequest extends EventEmitter {
  readonly #machine: Machine
  readonly #path: string
  readonly #wire: Wire
  #destroyed = false
  /** The body can be written at once, because the connection is already open. */
  readonly reusedSocket = true

  constructor(machine: Machine, path: string, wire: Wire) {
    super()
    this.#machine = machine
    this.#path = path
    this.#wire = wire
    queueMicrotask(() => this.emit('socket', new EventEmitter()))
  }

  end(body: string): void {
    if (!this.#machine.step()) return
    this.#wire.send(this.#machine, { path: this.#path, body }, (outcome) => {
      this.#machine.whenAwake(() => {
        if (!this.#machine.alive || this.#destroyed) return
        this.#machine.run(() => {
          if (this.#machine.step()) this.#receive(outcome)
        })
      })
    })
  }

  destroy(): void {
    this.#destroyed = true
  }

  #receive(outcome: WireOutcome): void {
    if (typeof outcome === 'string') {
      const code = outcome === 'garbled' ? 'HPE_INVALID_CONSTANT' : 'ECONNRESET'
      this.emit('error', Object.assign(new Error(outcome), { code }))
      return
    }
    const { status, body, date } = outcome
    const headers = date === null ? {} : { date }
    const incoming = Object.assign(new EventEmitter(), { statusCode: status, headers, complete: true })
    this.emit('response', incoming)
    incoming.emit('data', Buffer.from(body))
    incoming.emit('end')
  }
}

/** If the connection cannot be opened, the request fails before its body is written. */
class UnopenedRequest extends EventEmitter {
  constructor(machine: Machine) {
    super()
    queueMicrotask(() => {
      if (machine.alive) this.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    })
  }
  destroy(): void {
    this.removeAllListeners()
  }
}

export const virtualRequest = (machine: Machine, options: RequestOptions, wire: Wire): EventEmitter =>
  wire.isOpen(machine) ? new VirtualRequest(machine, options.path ?? '', wire) : new UnopenedRequest(machine)
