/** The machines of a world. Each has a slot; after a crash another machine takes the slot. */
import type { Bug, BugPlace } from './bug.ts'
import type { Faults } from './faults.ts'
import { startInstance, type Instance } from './instance.ts'
import { Machine } from './machine.ts'
import type { Settings } from './plan.ts'
import type { Chance } from './random.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { WorldDatabase } from './world-database.ts'

export interface SlotsOptions {
  readonly settings: Settings
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly chance: Chance
  readonly database: WorldDatabase
  readonly bug: Bug | null
  readonly place: BugPlace
  readonly note: (line: string) => void
}

interface Slot {
  machine: Machine | null
  /** Null while the machine starts. */
  instance: Instance | null
  started: number
}

/** If a machine has not reached its step after this time, it crashes or freezes at once. */
const CRASH_AT_LATEST_MS = 5000
/** As in `lib/server/store/database/lanes.ts`. */
const IDLE_IN_TRANSACTION_MS = 5000
const RESTART_MS = 1000

export class MachineSlots {
  readonly #options: SlotsOptions
  readonly #slots: readonly Slot[]
  #stopped = false
  /** Settings of the instances that start from now on. */
  #settings: Settings

  constructor(options: SlotsOptions) {
    this.#options = options
    this.#settings = options.settings
    this.#slots = Array.from({ length: options.settings.machines }, () => ({
      machine: null,
      instance: null,
      started: 0,
    }))
  }

  /** Machines that answer. */
  get instances(): readonly Instance[] {
    return this.#slots.flatMap(({ instance }) => (instance?.machine.alive === true ? [instance] : []))
  }

  machineAt(index: number): Machine | null {
    return this.#slots[index]?.machine ?? null
  }

  /** Starts the machines one after the other. */
  async startAll(): Promise<void> {
    const { clock } = this.#options
    for (const [index, slot] of this.#slots.entries()) {
      void this.#start(index)
      for (let turns = 0; slot.instance === null && turns < 100; turns += 1) await clock.runUntil(clock.now() + 20)
    }
  }

  async #start(index: number): Promise<void> {
    const { clock, database, bug, place, note } = this.#options
    const settings = this.#settings
    const slot = this.#slots[index]
    if (slot === undefined || slot.machine?.alive === true || this.#stopped) return
    slot.started += 1
    slot.instance = null
    const name = `machine-${index}.${slot.started}`
    const skewMs = this.#skewOf(name)
    const machine = new Machine({
      name,
      skewMs,
      now: () => clock.now(),
      onCrash: () => note(`${name} crashes`),
      onFreeze: (frozen, forMs) => {
        note(`${name} freezes for ${forMs / 1000} s`)
        clock.after(forMs, () => {
          if (frozen.isFrozen) note(`${name} goes on`)
          frozen.thaw()
        })
      },
    })
    slot.machine = machine
    note(`${name} starts${skewMs === 0 ? '' : `, its clock wrong by ${skewMs / 1000} s`}`)
    const real = await database.storeFor(machine, {
      before: () => this.#pause(),
      onIdle: (end) => {
        if (Number.isFinite(this.#idleMs)) clock.after(this.#idleMs, end)
      },
    })
    const store = bug?.store?.(real, place, machine) ?? real
    const starting = machine.run(() => startInstance({ machine, store, settings, onFault: note }))
    const instance = await starting.catch((error: unknown) => {
      note(`${name} cannot start: ${error instanceof Error ? error.message : String(error)}`)
      return null
    })
    if (instance === null) {
      // A supervisor starts it again.
      machine.crash()
      clock.after(RESTART_MS, () => void this.#start(index))
      return
    }
    const useCases = bug?.useCases?.(instance.useCases, place, machine) ?? instance.useCases
    slot.instance = { ...instance, useCases }
    bug?.started?.(place, machine)
  }

  #skewOf(name: string): number {
    const { faults, settings } = this.#options
    if (faults.happens('clock_hour_ahead', name)) return 3_600_000
    if (!faults.happens('clock_skew', name)) return 0
    const far = settings.habits.dates || faults.happens('clock_without_date', name)
    const most = far ? 400_000 : 150_000
    return faults.details(`skew ${name}`).pick([-most, -50_000, -2000, 2000, 50_000, most])
  }

  /** Sometimes lets other machines run before a statement. */
  #pause(): Promise<void> | null {
    const { chance, clock } = this.#options
    if (!chance.chance(0.05)) return null
    return new Promise((resolve) => void clock.after(chance.pick([0, 0, 1, 20]), resolve))
  }

  /** Crashes a machine within a few steps; another machine takes its slot later. */
  crash(index: number, steps: number, downMs: number): void {
    const machine = this.machineAt(index)
    if (machine?.alive !== true) return
    machine.crashAfter(steps)
    this.#options.clock.after(CRASH_AT_LATEST_MS, () => {
      machine.crash()
      this.#options.clock.after(downMs, () => void this.#start(index))
    })
  }

  /** Freezes a machine within a few steps, if possible inside a transaction. A single machine stops nobody else. */
  freeze(index: number, steps: number, forMs: number): void {
    const machine = this.machineAt(index)
    if (machine?.alive !== true || this.#options.settings.machines === 1) return
    machine.freezeAfter(steps, forMs)
    this.#options.clock.after(CRASH_AT_LATEST_MS, () => machine.freeze())
  }

  /** For how long a transaction may wait for its program. SQLite waits for ever; no other instance is there then. */
  get #idleMs(): number {
    const { bug, settings } = this.#options
    return bug?.idleMs ?? (settings.machines > 1 ? IDLE_IN_TRANSACTION_MS : Infinity)
  }

  /** Ends the machines' faults. A machine that was about to crash crashes now. */
  calm(): void {
    for (const { machine } of this.#slots) {
      if (machine === null) continue
      machine.storeAwayUntilMs = 0
      machine.thaw()
      if (machine.isDoomed) machine.crash()
    }
  }

  /** Stops every instance, until `resume`. */
  stop(): void {
    this.#stopped = true
    for (const { machine } of this.#slots) machine?.crash()
  }

  /** Starts all instances, with changed settings. */
  async resume(changed: Partial<Settings>): Promise<void> {
    this.#settings = { ...this.#settings, ...changed }
    this.#stopped = false
    for (const index of this.#slots.keys()) await this.#start(index)
  }

  /** Starts the machines that have not come back by themselves. */
  startMissing(): void {
    for (const [index, { machine }] of this.#slots.entries()) if (machine?.alive !== true) void this.#start(index)
  }
}
