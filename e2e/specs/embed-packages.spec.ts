/** The components of packages/embed in a browser, bundled like in a merchant's build. */
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

const shared = `
  const options = (origin) => ({ origin, fetchLaunchToken: () => window.token('cashier') })
  const onEvent = (event) => window.cashierEvents.push({ name: 'cashier', event })
`
const APPS = {
  react: `
    import { createElement, StrictMode } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Cashier } from './packages/embed/src/react.tsx'
    ${shared}
    const root = createRoot(document.querySelector('#cashier'))
    window.show = (origin, locale) =>
      root.render(createElement(StrictMode, null, createElement(Cashier, { ...options(origin), locale, onEvent })))
    window.hide = () => root.unmount()
  `,
  vue: `
    import { createApp, h, reactive } from 'vue'
    import { Cashier } from './packages/embed/src/vue.ts'
    ${shared}
    const given = reactive({ locale: 'en' })
    let app
    window.show = (origin, locale) => {
      given.locale = locale
      app ??= createApp({ render: () => h(Cashier, { ...options(origin), locale: given.locale, onEvent }) })
      if (!app._container) app.mount('#cashier')
    }
    window.hide = () => app.unmount()
  `,
} as const

interface Shown {
  readonly show: (origin: string, locale: string) => void
  readonly hide: () => void
}

for (const [framework, source] of Object.entries(APPS)) {
  test(`the ${framework} component mounts, follows its properties and unmounts`, async ({
    page,
    stack,
    createSession,
  }) => {
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: resolve('.') },
      bundle: true,
      format: 'iife',
      write: false,
      define: {
        'process.env.NODE_ENV': '"development"',
        __VUE_OPTIONS_API__: 'false',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
      logLevel: 'silent',
    })
    const host = await HostPage.onMerchant(page, stack, {
      token: async () => (await createSession()).launch_token,
    })
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
    const show = (locale: string): Promise<void> =>
      page.evaluate(([origin, language]) => (window as unknown as Shown).show(origin, language), [
        stack.cashier.url,
        locale,
      ] as const)
    await show('en')
    await host.ready('cashier')
    await expect(page.locator('iframe')).toHaveCount(1)
    await expect(host.cashier('cashier').locator('html')).toHaveAttribute('lang', 'en')
    await show('de')
    await expect(host.cashier('cashier').locator('html')).toHaveAttribute('lang', 'de')
    await page.evaluate(() => (window as unknown as Shown).hide())
    await expect(page.locator('iframe')).toHaveCount(0)
  })
}
