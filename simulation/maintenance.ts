/**
 * What happens once in the life of a cashier: a restored backup, an erased user, another keeper of the books, a move to
 * another database.
 */
import { eraseUser, noteRestore } from './instance.ts'
import type { ModelOperator } from './model-operator.ts'
import type { ModelUser } from './model-user.ts'
import type { Action } from './plan.ts'
import type { World } from './world.ts'

const KINDS = ['back_up', 'restore', 'erase', 'change_books', 'copy', 'undo_copy'] as const
type MaintenanceActionKind = (typeof KINDS)[number]

export type MaintenanceAction = Extract<Action, { kind: MaintenanceActionKind }>

export const isMaintenance = (action: Action): action is MaintenanceAction => KINDS.some((kind) => kind === action.kind)

/** An instance that was killed counts as running for 15 s. */
const STOPPED_MS = 20_000

export class Maintenance {
  readonly #world: World
  readonly #users: readonly ModelUser[]
  readonly #operator: ModelOperator
  #backedUpMs: number | null = null
  #copiedMs: number | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(world: World, users: readonly ModelUser[], operator: ModelOperator) {
    this.#world = world
    this.#users = users
    this.#operator = operator
  }

  /** One after the other. */
  take(action: MaintenanceAction): Promise<void> {
    this.#last = this.#last.then(() => this.#do(action))
    return this.#last
  }

  async #do(action: MaintenanceAction): Promise<void> {
    const { upkeep } = this.#world.database
    switch (action.kind) {
      case 'back_up':
        this.#backedUpMs = this.#world.clock.now()
        return upkeep.backUp()
      case 'restore':
        return this.#backedUpMs === null ? undefined : this.#restore(this.#backedUpMs)
      case 'erase':
        return this.#erase(action)
      case 'change_books':
        return this.#changeBooks()
      case 'copy':
        return this.#copy()
      case 'undo_copy':
        return this.#copiedMs === null ? undefined : this.#undoCopy(this.#copiedMs)
    }
  }

  async #stopAll(why: string): Promise<void> {
    const world = this.#world
    world.note(`all instances are stopped for ${why}`)
    world.machines.stop()
    await world.wait(STOPPED_MS)
  }

  /** The database lost what happened since then, and instances start again. */
  async #resumeAfterLoss(fromMs: number): Promise<void> {
    const world = this.#world
    world.lost = { fromMs, untilMs: world.clock.now() }
    const known = this.#users.filter(({ isKnown }) => isKnown)
    for (const user of known) user.forget()
    await world.machines.resume({})
    for (const user of known) void user.session()
    this.#operator.repeatSince(fromMs)
  }

  /** docs/guides/back-up.md, "Restore a backup". */
  async #restore(fromMs: number): Promise<void> {
    const { bug, database } = this.#world
    await this.#stopAll('a restore')
    await database.upkeep.restore()
    if (bug?.forgetsRestore !== true) await database.upkeep.command(noteRestore)
    await this.#resumeAfterLoss(fromMs)
  }

  /** docs/guides/back-up.md, "Move from SQLite to PostgreSQL". */
  async #copy(): Promise<void> {
    const world = this.#world
    await this.#stopAll('a copy to PostgreSQL')
    this.#copiedMs = world.clock.now()
    await world.database.move?.copy()
    await world.machines.resume({})
  }

  async #undoCopy(fromMs: number): Promise<void> {
    await this.#stopAll('the end of the copy')
    await this.#world.database.move?.undo()
    await this.#resumeAfterLoss(fromMs)
  }

  async #erase({ id, user: index }: Extract<MaintenanceAction, { kind: 'erase' }>): Promise<void> {
    const world = this.#world
    const user = this.#users[index]
    // A merchant erases a user after its own calls about that user were answered.
    if (user === undefined || this.#operator.isAdjusting(user.name)) return
    const pseudonym = `erased_${id}`
    const outcome = await world.database.upkeep
      .command((store) => eraseUser(store, user.name, pseudonym, () => world.clock.now()))
      .catch((error: unknown) => {
        // An instance that is frozen has the user's lock.
        world.note(`${user.name} is not erased: ${error instanceof Error ? error.message : String(error)}`)
        return null
      })
    world.note(`${user.name} is erased: ${outcome?.outcome ?? 'not'}`)
    if (outcome?.outcome !== 'erased') return
    world.erased.set(user.name, [...(world.erased.get(user.name) ?? []), pseudonym])
    user.forget()
  }

  /** docs/guides/operate.md, "Changing who keeps the ledger". */
  async #changeBooks(): Promise<void> {
    const world = this.#world
    await this.#stopAll('a change of the books')
    const [row] = await world.database.rows('select count(*) as count from merchant_events')
    world.eventsBefore = Number(row?.['count'])
    world.ledgerMode = world.ledgerMode === 'embedded' ? 'merchant' : 'embedded'
    world.note(`from now on the books are ${world.ledgerMode}`)
    await world.machines.resume({ ledgerMode: world.ledgerMode })
  }
}
