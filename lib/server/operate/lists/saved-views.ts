import { randomUUID } from 'node:crypto'
import { MOST_VIEWS, type NewView, type SavedView, type ViewChange } from '#lib/contract/operate/views.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { OperatorViewRow, Store } from '../../store/types.ts'

const viewOf = ({ id, list, name, query }: OperatorViewRow): SavedView => ({ id, list, name, query })

const nameTaken = (): Problem => new Problem('conflict', 'You have a view of this list with this name.')

/** `/api/operate/views`: what an operator saves for themselves. */
export const createSavedViews = (store: Pick<Store, 'operatorViews'>, clock: () => number) => ({
  list: async (operator: string): Promise<readonly SavedView[]> =>
    (await store.operatorViews.ofOperator(operator)).map(viewOf),

  /** @throws Problem `conflict` if the name is taken, or the operator has `MOST_VIEWS` */
  async save(operator: string, view: NewView): Promise<SavedView> {
    const row = { id: randomUUID(), operator_id: operator, created_ms: clock(), ...view }
    if (await store.operatorViews.add(row, MOST_VIEWS)) return viewOf(row)
    const count = (await store.operatorViews.ofOperator(operator)).length
    if (count < MOST_VIEWS) throw nameTaken()
    throw new Problem('conflict', `You have ${String(MOST_VIEWS)} saved views. Delete one first.`)
  },

  /** @throws Problem `not_found`, `conflict` if the name is taken */
  async change(operator: string, id: string, change: ViewChange): Promise<SavedView> {
    const before = (await store.operatorViews.ofOperator(operator)).find((row) => row.id === id)
    if (before === undefined) throw new Problem('not_found', 'There is no such view.')
    const after = { ...before, ...change }
    if (!(await store.operatorViews.change(after))) throw nameTaken()
    return viewOf(after)
  },

  /** @throws Problem `not_found` */
  async remove(operator: string, id: string): Promise<void> {
    if (!(await store.operatorViews.remove(operator, id))) throw new Problem('not_found', 'There is no such view.')
  },
})
