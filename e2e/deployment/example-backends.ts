/** The programs of examples/backends, and how each is started. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { installServerPackage } from '../fixtures/install-server-package.ts'

export interface Backend {
  readonly name: string
  /** Whether the machine has the interpreter. */
  readonly check: readonly [command: string, ...args: string[]]
  /** Prepares the folder, and returns the command that starts the backend. */
  readonly start: (folder: string, port: number) => readonly [command: string, ...args: string[]]
  readonly ready?: RegExp
  /** Follows the feed, if the server does not do so itself. */
  readonly follower?: readonly [command: string, ...args: string[]]
  /** It starts with any settings, because PHP reads the file for each request only. */
  readonly runsByRequest?: boolean
}

export const BACKENDS: readonly Backend[] = [
  {
    name: 'node',
    check: ['node', '--version'],
    start(folder) {
      installServerPackage(folder)
      return ['node', 'backend.mjs']
    },
  },
  { name: 'python', check: ['python3', '--version'], start: () => ['python3', 'backend.py'] },
  {
    name: 'php',
    check: ['php', '-r', "exit(extension_loaded('pdo_sqlite') && extension_loaded('bcmath') ? 0 : 1);"],
    start: (_folder, port) => ['php', '-S', `127.0.0.1:${port}`, 'backend.php'],
    ready: /Development Server \(http.*started/,
    follower: ['php', 'backend.php'],
    runsByRequest: true,
  },
  {
    name: 'go',
    check: ['go', 'version'],
    start(folder) {
      execFileSync('go', ['build', '-o', 'backend', '.'], {
        cwd: folder,
        env: { ...process.env, GOFLAGS: '-mod=mod', GOCACHE: join(tmpdir(), 'cashier-deployment-go') },
      })
      return [join(folder, 'backend')]
    },
  },
  { name: 'ruby', check: ['ruby', '--version'], start: () => ['ruby', 'backend.rb'] },
]

/** The variables that depend on the machine and the folder; the variables about the cashier are added. */
export const surroundings = (folder: string, port: number) => ({
  NODE_ENV: 'production' as const,
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PORT: String(port),
  DATA: join(folder, 'books'),
})

/** Without the installed packages and bookings of earlier runs. */
export const copyBackend = ({ name }: Backend, folder: string): void =>
  cpSync(resolve('examples/backends', name), folder, {
    recursive: true,
    filter: (path) => !/^(?:node_modules|bookings\..*)$/.test(basename(path)),
  })

export const isHere = ({ check: [command, ...args] }: Backend): boolean => spawnSync(command, args).status === 0
