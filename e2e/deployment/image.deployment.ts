/**
 * Tests the Dockerfile without Docker. Its commands run in a clean copy of the sources; its program runs as the image's
 * user in a read-only root with only glibc and libstdc++. `npm ci` and the build take some minutes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readVersion } from '#lib/server/runtime/version.ts'
import { OPERATOR_MODULES } from '../../scripts/bundle.ts'
import { freePort } from '../../scripts/free-port.ts'
import { startSupervised, type SupervisedProcess } from '../../scripts/supervised-process.ts'
import { MERCHANT_REFERENCE, rsaKeyPair, secret } from '../fixtures/keys.ts'
import { merchantApi } from '../fixtures/merchant-api.ts'
import { startSandbox, type Program } from '../fixtures/processes.ts'
import { launchSession } from '../system/page.ts'
import { readDockerfile } from './dockerfile.ts'

const isHere = process.getuid?.() === 0 && spawnSync('mmdebstrap', ['--version']).status === 0
/** Replaces gcr.io/distroless/cc-debian12, which has the same libraries. */
const LIBRARIES = 'libc6,libstdc++6,libgcc-s1,netbase,tzdata'
/** Runs in a new mount namespace: makes the root read-only except /data, then runs the program as the image's user. */
const IN_ROOT = `
root=$1 user=$2; shift 2
mount --bind "$root" "$root" && mount --bind "$root/data" "$root/data" && mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc" && mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"`
const MINUTES = 60_000
/** The build's argument. */
const COMMIT = 'c0ffee'

describe.skipIf(!isHere)(isHere ? 'the image' : 'the image (needs root and mmdebstrap)', () => {
  const image = readDockerfile('Dockerfile')
  const folder = mkdtempSync(join(tmpdir(), 'cashier-image-'))
  const [source, root] = [join(folder, 'src'), join(folder, 'root')]
  const inRoot = (command: readonly string[]): readonly string[] => [
    '--mount',
    'sh',
    '-c',
    IN_ROOT,
    'sh',
    root,
    image.user,
    ...command,
  ]
  let sandbox: Program | undefined
  let cashier: SupervisedProcess | undefined
  let url: string
  let env: NodeJS.ProcessEnv

  beforeAll(async () => {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
      .trim()
      .split('\n')
    for (const file of files.filter(existsSync)) {
      mkdirSync(dirname(join(source, file)), { recursive: true })
      cpSync(file, join(source, file))
    }
    const PATH = (process.env['PATH'] ?? '')
      .split(':')
      .filter((one) => !one.includes('node_modules'))
      .join(':')
    const built = { cwd: source, env: { ...process.env, PATH, CASHIER_COMMIT: COMMIT }, stdio: 'pipe' } as const
    for (const command of image.build) {
      const text = command.replaceAll(' /', ` ${folder}/built/`).replace('mkdir ', 'mkdir -p ')
      execFileSync('env', ['-u', 'NODE_ENV', '-u', 'VITEST', 'sh', '-c', text], built)
    }

    execFileSync('mmdebstrap', ['--variant=extract', `--include=${LIBRARIES}`, 'bookworm', root], { stdio: 'pipe' })
    for (const place of ['proc', 'dev', 'tmp']) mkdirSync(join(root, place), { recursive: true })
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
    for (const [from, to] of image.copies)
      cpSync(join(folder, 'built', from), join(root, to), { recursive: true, verbatimSymlinks: true })
    const [uid = 0, gid = 0] = image.user.split(':').map(Number)
    chownSync(join(root, 'data'), uid, gid)

    const [merchant, gateway, apiKey] = [rsaKeyPair(), rsaKeyPair(), secret()]
    const ports = { sandbox: await freePort(), cashier: await freePort() }
    url = `http://localhost:${ports.cashier}`
    sandbox = await startSandbox({
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_DATA: join(folder, 'sandbox.db'),
      SANDBOX_KEYS: join(folder, 'keys'),
      SANDBOX_MERCHANT_ID: MERCHANT_REFERENCE,
      SANDBOX_GATEWAY_PRIVATE_KEY: gateway.privateKey,
      SANDBOX_MERCHANT_PUBLIC_KEY: merchant.publicKey,
      SANDBOX_API_KEY: apiKey,
      SANDBOX_WEBHOOK_URL: `${url}/api/webhooks/gateway`,
    })
    env = {
      NODE_ENV: 'production',
      ...image.env,
      PORT: String(ports.cashier),
      GATEWAY_BASE_URL: `http://localhost:${ports.sandbox}`,
      GATEWAY_API_KEY: apiKey,
      GATEWAY_PRIVATE_KEY: merchant.privateKey,
      GATEWAY_PUBLIC_KEY: gateway.publicKey,
      SESSION_SECRET: secret(),
      MERCHANT_API_KEY: secret(),
      DRAIN_S: '0',
      // For unshare and mount; the image does not need a PATH.
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    }
    const args = inRoot([...image.entrypoint, ...image.command])
    cashier = await startSupervised({ command: 'unshare', args, env, ready: /listening on/ })
  }, 10 * MINUTES)
  afterAll(async () => {
    await cashier?.stop()
    await sandbox?.process.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('from a read-only root it serves a page with its scripts, and writes only its database', async () => {
    const session = await merchantApi(url, env['MERCHANT_API_KEY'] ?? '').createSession({ user_reference_id: 'user-1' })
    const cookie = await launchSession(url, session)
    const page = await fetch(`${url}/c/${session.session_id}/deposit`, { headers: { cookie } })
    const html = await page.text()
    expect([page.status, html]).toEqual([200, expect.stringContaining('data-testid="currency-button"')])
    const scripts = [...html.matchAll(/src="(\/_next\/static\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
    const statuses = await Promise.all(
      [...scripts, '/embed.js', '/embed'].map(async (path) => (await fetch(url + path)).status),
    )
    expect(statuses.length).toBeGreaterThan(3)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(readdirSync(join(root, 'data')).toSorted()).toEqual(['cashier.db', 'cashier.db-shm', 'cashier.db-wal'])
    expect(cashier?.output()).not.toMatch(/EROFS|EACCES|ENOENT|Cannot find/)
  })

  test('it reports its version, and the commit given to the build', async () => {
    const ready = await fetch(`${url}/api/health/ready`)
    const { version } = readVersion()
    expect(await ready.json()).toEqual({ status: 'ready', version, commit: COMMIT })
    expect(image.labels['org.opencontainers.image.version']).toBe(version)
  })

  test('its health check follows readiness, and SIGTERM ends it with 0', async () => {
    const health = (port: string | undefined): number | null =>
      spawnSync('unshare', inRoot(image.health), { env: { ...env, PORT: port } }).status
    expect([health(env['PORT']), health(String(await freePort()))]).toEqual([0, 1])
    expect(await cashier?.stop()).toBe(0)
  })

  test("it has everything that the operator's commands import", () => {
    const commands = OPERATOR_MODULES.filter((name) => name !== 'server.ts')
    const outputs = commands.map((name) => {
      const command = ['/cashier/node', '--conditions=react-server', `/cashier/${name}`]
      const { status, stdout, stderr } = spawnSync('unshare', inRoot(command), { env, encoding: 'utf8' })
      return { name, ended: status !== null, missing: /ERR_MODULE_NOT_FOUND|Cannot find/.test(stdout + stderr) }
    })
    expect(outputs).toEqual(commands.map((name) => ({ name, ended: true, missing: false })))
  })

  test('the image with its libraries is smaller than 220 MB', () => {
    const size = Number(execFileSync('du', ['-sm', root], { encoding: 'utf8' }).split('\t')[0])
    expect(size).toBeLessThan(220)
  })
})
