/** The network between the cashier and the gateway: it carries calls there and replies back, or loses them. */
import type { Faults } from './faults.ts'
import type { ModelGateway } from './model-gateway.ts'
import type { Chance } from './random.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Wire } from './virtual-request.ts'

export interface GatewayNetworkOptions {
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly gateway: ModelGateway
  readonly chance: Chance
  readonly note: (line: string) => void
}

export class GatewayNetwork {
  readonly #options: GatewayNetworkOptions
  #awayUntilMs = 0
  #refuses = false
  /** Time of the last call to the gateway. */
  calledMs = 0

  constructor(options: GatewayNetworkOptions) {
    this.#options = options
  }

  /** Makes the gateway unreachable for a while: connections are refused, or calls vanish. */
  away(forMs: number, refuses: boolean): void {
    const { clock, note } = this.#options
    if (forMs > 0) note(`the gateway is away for ${forMs / 1000} s`)
    this.#awayUntilMs = clock.now() + forMs
    this.#refuses = refuses
  }

  wire(): Wire {
    const { clock, faults, gateway, chance, note } = this.#options
    const isAway = (): boolean => clock.now() < this.#awayUntilMs
    const count = new Map<string, number>()
    return {
      isOpen: () => !(isAway() && this.#refuses),
      send: (machine, { path, body }, done) => {
        this.calledMs = clock.now()
        const what = `${path} ${body}`
        const calls = (count.get(what) ?? 0) + 1
        count.set(what, calls)
        const occasion = `${what} ${calls}`
        if (isAway()) return
        const lost = faults.happens('call_lost', occasion)
        clock.after(chance.between(1, 150), () => {
          if (lost) {
            note(`lost: the call ${what}`)
            if (faults.details(occasion).chance(0.4)) clock.after(10, () => done({ status: 503, body: '', date: null }))
            return
          }
          const outcome = gateway.answer(path, body)
          note(`${machine.name} calls ${what}`)
          if (faults.happens('reply_lost', occasion)) {
            note(`lost: the reply to ${what}`)
            return
          }
          const details = faults.details(`damage ${occasion}`)
          const damaged = faults.happens('reply_damaged', occasion)
          const broken = details.pick([
            'cut',
            'garbled',
            { status: 502, body: '<html>', date: null },
            { status: 200, body: '{', date: null },
          ] as const)
          clock.after(chance.between(1, 150), () => done(damaged ? broken : outcome))
        })
      },
    }
  }
}
