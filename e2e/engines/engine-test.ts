/** A `test` with an engine and two sites, both started once per worker. Each test has its own user. */
import { test as base } from 'playwright/test'
import type { Engine, EngineName } from './engine.ts'
import { type EngineCashier, ShopView } from './shop-view.ts'
import { type Sites, startSites } from './sites.ts'
import { startEngine } from './start-engine.ts'

export interface EngineOptions {
  engineName: EngineName
}

interface WorkerFixtures extends EngineOptions {
  engine: Engine
  sites: Sites
}

interface TestFixtures {
  user: string
  /** The shop's page, with a session of `user` for each mount. */
  shop: ShopView
  /** The cashier of `user`: in the shop's page, or in its own tab if the engine refuses cookies of a frame. */
  cashier: EngineCashier
}

export const engineTest = base.extend<TestFixtures, WorkerFixtures>({
  engineName: ['firefox', { option: true, scope: 'worker' }],

  engine: [
    async ({ engineName }, use) => {
      const engine = await startEngine(engineName)
      await use(engine)
      await engine.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  sites: [
    async ({}, use) => {
      const sites = await startSites()
      await use(sites)
      await sites.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  user: async ({}, use) => {
    await use(`user-${crypto.randomUUID()}`)
  },

  shop: async ({ engine, sites, user }, use) => {
    sites.useSession(() => ({ user_reference_id: user }))
    sites.refuseCookies(false)
    await use(await ShopView.open(engine, sites.shopUrl))
  },

  cashier: async ({ shop, engineName }, use) => {
    await use(await (engineName === 'webkit' ? shop.launchInTab() : shop.launch()))
  },
})
