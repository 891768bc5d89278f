import type { Endpoints } from '../http/handler.ts'
import { enterToRead } from '../http/page-call.ts'
import { jsonResponse } from '../http/problem-response.ts'
import type { SessionDoor } from '../http/session-door.ts'
import type { UseCases } from '../use-cases.ts'

export interface CashierReadDeps<Name extends keyof UseCases> {
  readonly door: SessionDoor
  readonly useCases: Pick<UseCases, Name>
}

/** `GET /api/cashier/currencies`. */
export const cashierCurrencies = ({ door, useCases }: CashierReadDeps<'listCurrencies'>): Endpoints => ({
  async GET(call) {
    const session = await enterToRead(door, call)
    return jsonResponse(200, { currencies: await useCases.listCurrencies(session) })
  },
})
