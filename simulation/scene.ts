import type { GatewayLife } from './gateway-life.ts'
import type { ModelOperator } from './model-operator.ts'
import type { ModelUser } from './model-user.ts'
import type { Maintenance } from './maintenance.ts'
import type { World } from './world.ts'

/** Everything that the oracle checks. */
export interface Scene {
  readonly world: World
  readonly life: GatewayLife
  readonly users: readonly ModelUser[]
  readonly operator: ModelOperator
  readonly maintenance: Maintenance
}
