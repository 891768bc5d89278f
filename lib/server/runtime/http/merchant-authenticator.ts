import type { MerchantScope } from '#lib/contract/merchant-scopes.ts'
import { createKeyUses, type KeyUsesDeps } from '../../merchant/key-uses.ts'
import { createKnownKeys } from '../../merchant/known-keys.ts'
import { MERCHANT_BACKEND, requireScope, type MerchantCaller } from '../../merchant/merchant-caller.ts'
import type { Store } from '../../store/types.ts'
import { bearerCheck, bearerToken, keyRefused } from './bearer.ts'
import type { HeaderReader } from './inbound-request.ts'

export interface MerchantAuthenticatorDeps extends Omit<KeyUsesDeps, 'keys'> {
  /** `MERCHANT_API_KEY`. */
  readonly environmentKeys: readonly string[]
  readonly keys: Pick<Store['merchantKeys'], 'active' | 'use'>
  /** Milliseconds by a clock that nobody sets. */
  readonly uptimeMs: () => number
}

/** Checks who makes a call of the merchant API. The environment's keys need no database. */
export function createMerchantAuthenticator(deps: MerchantAuthenticatorDeps) {
  const isOfEnvironment = bearerCheck(deps.environmentKeys)
  const known = createKnownKeys(deps)
  const uses = createKeyUses(deps)
  return {
    /** @throws Problem `unauthenticated`; `scope_required` for a key without this scope */
    async require(headers: HeaderReader, scope: MerchantScope): Promise<MerchantCaller> {
      const authorization = headers.get('authorization')
      if (isOfEnvironment(authorization)) return MERCHANT_BACKEND
      const key = await known.find(bearerToken(authorization))
      if (key === null) throw keyRefused()
      uses.note(key)
      const caller: MerchantCaller = { by: `merchant:${key.name}`, scopes: key.scopes }
      requireScope(caller, scope)
      return caller
    },
    /** Call it after a key was made or revoked. */
    keysChanged: () => known.forget(),
    /** Resolves when every use is stored. */
    flush: () => uses.flush(),
  }
}

export type MerchantAuthenticator = ReturnType<typeof createMerchantAuthenticator>
