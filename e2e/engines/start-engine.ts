/** Starts an engine with a new profile: Chromium by Playwright, the engines from Debian packages by WebDriver. */
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'
import { type SupervisedProcess, startSupervised } from '../../scripts/supervised-process.ts'
import type { Engine, EngineName } from './engine.ts'
import { startChromium } from './start-chromium.ts'
import { WebDriverTabs } from './webdriver-tabs.ts'
import { openHttpSession, openMarionetteSession, type WebDriverSession } from './webdriver.ts'

const READY_MS = 60_000

type Preferences = Readonly<Record<string, string | number | boolean>>

/** The preferences for tracking and cookies of "Strict" in Firefox's settings. */
const STRICT: Preferences = {
  'browser.contentblocking.category': 'strict',
  'privacy.trackingprotection.enabled': true,
  'privacy.trackingprotection.socialtracking.enabled': true,
  'privacy.query_stripping.enabled': true,
  'privacy.fingerprintingProtection': true,
  'network.cookie.cookieBehavior': 5,
  'network.cookie.cookieBehavior.optInPartitioning': true,
  'network.http.referer.disallowCrossSiteRelaxingDefault.top_navigation': true,
}

function preferences(downloads: string, port: number): Preferences {
  return {
    'marionette.port': port,
    // These would weaken the protection under test.
    'remote.prefs.recommended': false,
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.alwaysOpenPanel': false,
    'intl.accept_languages': 'en-GB, en',
    // The browser sends no requests to its vendor, and opens no page of its own.
    'app.update.disabledForTesting': true,
    'browser.aboutwelcome.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,',
    'toolkit.telemetry.server': '',
  }
}

const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  TZ: 'UTC',
  NODE_ENV: 'test',
  LANG: 'C.UTF-8',
  MOZ_CRASHREPORTER_DISABLE: '1',
})

function byWebDriver(
  name: EngineName,
  session: WebDriverSession,
  downloads: string,
  processes: readonly SupervisedProcess[],
): Engine {
  const tabs = new WebDriverTabs(session)
  return {
    name,
    downloads,
    open: (url) => tabs.open(url),
    openedPage: () => tabs.opened(),
    async stop() {
      await session.close()
      for (const process of processes) await process.stop()
    },
  }
}

/** Starts a program that prints nothing when it is ready, and waits until its port is open. */
async function startListening(
  command: string,
  args: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv,
): Promise<SupervisedProcess> {
  const program = await startSupervised({
    command: 'sh',
    args: ['-c', 'echo started; exec "$0" "$@"', command, ...args],
    env,
    ready: /started/,
  })
  const deadline = Date.now() + READY_MS
  for (;;) {
    const socket = createConnection(port, '127.0.0.1')
    const opened = await once(socket, 'connect').catch(() => null)
    socket.destroy()
    if (opened) return program
    if (Date.now() > deadline) return stopAfter(program)(new Error(`${command} did not open its port`))
    await sleep(50)
  }
}

async function startFirefox(name: EngineName, folder: string, downloads: string): Promise<Engine> {
  const port = await freePort()
  const settings = { ...preferences(downloads, port), ...(name === 'firefox-strict' && STRICT) }
  const lines = Object.entries(settings).map(([key, value]) => `user_pref('${key}', ${JSON.stringify(value)});\n`)
  const profile = join(folder, 'profile')
  mkdirSync(profile)
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const args = ['--headless', '--marionette', '--no-remote', '--profile', profile]
  const browser = await startListening('firefox-esr', args, port, environment(folder))
  const session = await openMarionetteSession(port, { acceptInsecureCerts: true }).catch(stopAfter(browser))
  return byWebDriver(name, session, downloads, [browser])
}

/** In the folder of libraries, whose name contains the machine's architecture. */
function miniBrowser(): string {
  const [found] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (found === undefined) throw new Error('There is no MiniBrowser.')
  return found
}

async function startWebKit(name: EngineName, folder: string, downloads: string): Promise<Engine> {
  mkdirSync(join(folder, '.config'))
  writeFileSync(join(folder, '.config/user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
  const screen = await startSupervised({
    command: 'Xvfb',
    args: ['-displayfd', '1', '-screen', '0', '1280x2400x24', '-nolisten', 'tcp'],
    env: environment(folder),
    ready: /^(\d+)$/m,
  })
  const port = await freePort()
  const capabilities = {
    acceptInsecureCerts: true,
    ...(name === 'webkit-cookies' && {
      'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation', '--cookies-policy=always'] },
    }),
  }
  const env = { ...environment(folder), DISPLAY: `:${screen.ready[1] ?? ''}`, NO_AT_BRIDGE: '1' }
  const driver = await startListening('WebKitWebDriver', [`--port=${port}`], port, env).catch(stopAfter(screen))
  const session = await openHttpSession(`http://127.0.0.1:${port}`, capabilities)
    .catch(stopAfter(driver))
    .catch(stopAfter(screen))
  return byWebDriver(name, session, downloads, [driver, screen])
}

const stopAfter =
  (process: SupervisedProcess) =>
  async (error: unknown): Promise<never> => {
    await process.stop()
    throw new Error(`${String(error)}\n${process.output()}`)
  }

export async function startEngine(name: EngineName): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-engine-'))
  const downloads = join(folder, 'downloads')
  mkdirSync(downloads)
  const start = (): Promise<Engine> => {
    if (name === 'chromium') return startChromium(downloads)
    return (name.startsWith('webkit') ? startWebKit : startFirefox)(name, folder, downloads)
  }
  const engine = await start()
  return {
    ...engine,
    async stop() {
      await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
