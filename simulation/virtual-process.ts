/**
 * Makes Node virtual for the code of machines: timers run in virtual time, random values come from the seed, and the
 * network is the simulator's. Code outside all machines keeps the real timers, random values and network.
 */
import crypto from 'node:crypto'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import { currentMachine, never, type Machine } from './machine.ts'
import { hashOf, type Chance } from './random.ts'
import type { Timer, VirtualClock } from './virtual-clock.ts'
import { virtualRequest, type Wire } from './virtual-request.ts'

/** A call of a machine to the merchant's backend. The promise stays open if no reply comes. */
export type FetchCall = (machine: Machine, url: string, init: RequestInit) => Promise<{ status: number; body: string }>

export interface VirtualParts {
  readonly clock: VirtualClock
  readonly chance: Chance
  readonly gateway: Wire
  readonly callMerchant: FetchCall
}

let parts: VirtualParts | null = null

/** The parts of the world that starts now. */
export const useVirtualParts = (next: VirtualParts): void => {
  parts = next
}

const virtual = (): { readonly machine: Machine; readonly parts: VirtualParts } | null => {
  const machine = currentMachine()
  return machine === undefined || parts === null ? null : { machine, parts }
}

/** Stands in for the gateway's signature. It is cheap and covers every byte, like the real signature. */
export function cheapSignature(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  const signature = Buffer.alloc(12)
  for (const part of [0, 1, 2]) signature.writeUInt32BE(hashOf(`${part}${text}`), part * 4)
  return signature
}

/** The part of Node's `Timeout` that the code uses. */
class VirtualTimeout {
  #timer: Timer | null = null
  #cleared = false
  constructor(machine: Machine, clock: VirtualClock, ms: number, repeat: boolean, run: () => void) {
    const arm = (): void => {
      this.#timer = clock.after(ms, () => {
        machine.whenAwake(() => {
          if (!machine.alive || this.#cleared) return
          if (repeat) arm()
          machine.run(run)
        })
      })
    }
    arm()
  }
  clear(): void {
    this.#cleared = true
    if (this.#timer !== null) this.#timer.cancelled = true
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
}

type Callback = (...args: unknown[]) => void

function patchTimers(): void {
  const real = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }
  const start =
    (fallback: (run: Callback, ms?: number, ...args: unknown[]) => unknown, repeat: boolean) =>
    (run: Callback, ms?: number, ...args: unknown[]): unknown => {
      const here = virtual()
      if (here === null) return fallback(run, ms, ...args)
      return new VirtualTimeout(here.machine, here.parts.clock, ms ?? 0, repeat, () => run(...args))
    }
  const stop =
    (fallback: (timer: never) => void) =>
    (timer: unknown): void => {
      if (timer instanceof VirtualTimeout) timer.clear()
      else fallback(timer as never)
    }
  const immediate = (run: Callback, ...args: unknown[]): unknown => {
    const here = virtual()
    if (here === null) return real.setImmediate(run, ...args)
    return new VirtualTimeout(here.machine, here.parts.clock, 0, false, () => run(...args))
  }
  Object.assign(globalThis, {
    setTimeout: start(real.setTimeout as never, false),
    setInterval: start(real.setInterval as never, true),
    setImmediate: immediate,
    clearTimeout: stop(real.clearTimeout),
    clearInterval: stop(real.clearInterval),
    clearImmediate: stop(real.clearImmediate),
  })
}

interface SleepOptions {
  readonly signal?: AbortSignal
}

function patchSleep(): void {
  const real = { setTimeout: timersPromises.setTimeout, setImmediate: timersPromises.setImmediate }
  const sleep = (ms: number, value: unknown, { signal }: SleepOptions): Promise<unknown> => {
    const here = virtual()
    if (here === null) return real.setTimeout(ms, value, signal === undefined ? {} : { signal })
    return new Promise((resolve, reject) => {
      const timer = new VirtualTimeout(here.machine, here.parts.clock, ms, false, () => resolve(value))
      const abort = (): void => {
        timer.clear()
        reject(new Error('aborted'))
      }
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort)
    })
  }
  Object.assign(timersPromises, {
    setTimeout: (ms?: number, value?: unknown, options: SleepOptions = {}) => sleep(ms ?? 0, value, options),
    setImmediate: (value?: unknown) => (virtual() === null ? real.setImmediate(value) : sleep(0, value, {})),
  })
  const realTimeout = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) => {
    const here = virtual()
    if (here === null) return realTimeout(ms)
    const controller = new AbortController()
    here.parts.clock.after(ms, () => {
      here.machine.whenAwake(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')))
    })
    return controller.signal
  }
}

function patchChance(): void {
  const real = { randomUUID: crypto.randomUUID, randomBytes: crypto.randomBytes, random: Math.random, now: Date.now }
  const realSinceStart = performance.now.bind(performance)
  const bytes = (chance: Chance, size: number): Buffer => {
    const made = Buffer.alloc(size)
    for (let at = 0; at < size; at += 1) made[at] = chance.next() & 0xff
    return made
  }
  const newUuid = (chance: Chance): string => {
    const hex = bytes(chance, 16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  Object.assign(crypto, {
    randomUUID: () => {
      const here = virtual()
      return here === null ? real.randomUUID() : newUuid(here.parts.chance)
    },
    randomBytes: (size: number) => {
      const here = virtual()
      return here === null ? real.randomBytes(size) : bytes(here.parts.chance, size)
    },
  })
  Math.random = () => virtual()?.parts.chance.share() ?? real.random()
  Date.now = () => currentMachine()?.now() ?? real.now()
  performance.now = () => currentMachine()?.rightNow() ?? realSinceStart()
}

type SignCallback = (error: Error | null, signature: Buffer) => void

function patchSignatures(): void {
  const real = { sign: crypto.sign, verify: crypto.verify }
  Object.assign(crypto, {
    sign: (algorithm: string, data: Buffer, key: crypto.KeyLike, callback?: SignCallback) => {
      if (currentMachine() === undefined || callback === undefined) return real.sign(algorithm, data, key)
      // The gateway model does not check the signature of a call.
      callback(null, Buffer.from('signature'))
      return undefined
    },
    verify: (algorithm: string, data: Buffer, key: crypto.KeyLike, signature: Buffer) =>
      currentMachine() === undefined
        ? real.verify(algorithm, data, key, signature)
        : cheapSignature(data).equals(signature),
  })
}

function patchNetwork(): void {
  const real = { request: http.request, fetch: globalThis.fetch }
  Object.assign(http, {
    request: (options: http.RequestOptions) => {
      const here = virtual()
      return here === null ? real.request(options) : virtualRequest(here.machine, options, here.parts.gateway)
    },
  })
  globalThis.fetch = ((url: string, init: RequestInit = {}) => {
    const here = virtual()
    if (here === null) return real.fetch(url, init)
    const { machine } = here
    const aborted = new Promise<never>((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => {
        if (machine.alive) machine.run(() => reject(init.signal?.reason as Error))
      })
    })
    if (!machine.step()) return never()
    const reply = here.parts.callMerchant(machine, url, init).then(({ status, body }) => {
      const chunks = body === '' ? null : { ...chunksOf(body), cancel: () => Promise.resolve() }
      return { status, headers: new Headers(), body: chunks }
    })
    return Promise.race([reply, aborted])
  }) as typeof globalThis.fetch
}

const chunksOf = (body: string) => ({
  async *[Symbol.asyncIterator]() {
    yield Buffer.from(body)
  },
})

let installed = false

/** Call it once in a worker, before the import of the cashier's code. */
export function installVirtualProcess(): void {
  if (installed) return
  installed = true
  patchTimers()
  patchSleep()
  patchChance()
  patchSignatures()
  patchNetwork()
  syncBuiltinESMExports()
}
