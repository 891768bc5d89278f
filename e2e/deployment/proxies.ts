/** Starts nginx or Caddy in front of two cashiers, with the files in ops/ and other addresses. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { startSupervised } from '../../scripts/supervised-process.ts'

export interface Proxy {
  /** PEM of the authority that signed its certificate. */
  readonly ca: string
  /** Reloads the configuration as an operator does. */
  reload(): void
  /** The log so far. */
  logs(): string
  stop(): Promise<void>
}

export interface ProxyPorts {
  readonly https: number
  readonly http: number
}

export interface ProxyKind {
  readonly name: string
  readonly isHere: boolean
  /** The proxy answers at `https://localhost` with this port. @param upstreams two hosts with ports */
  start(upstreams: readonly [string, string], ports: ProxyPorts): Promise<Proxy>
}

export const proxyPorts = async (): Promise<ProxyPorts> => ({ https: await freePort(), http: await freePort() })

/** The documented configuration with replacements. @throws when a text to replace is missing */
function configuration(path: string, changes: Readonly<Record<string, string>>): string {
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

const isHere = (command: string, argument: string): boolean => spawnSync(command, [argument]).status === 0
const PATH = process.env['PATH']
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** A key and a certificate for localhost, in the folder. */
function selfSigned(folder: string, key: string, certificate: string): void {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { cwd: folder, stdio: 'pipe' })
}

const nginx: ProxyKind = {
  name: 'nginx',
  isHere: isHere('nginx', '-v'),
  async start([first, second], ports) {
    const folder = mkdtempSync(join(tmpdir(), 'cashier-nginx-'))
    selfSigned(folder, 'privkey.pem', 'fullchain.pem')
    const file = join(folder, 'nginx.conf')
    const text = configuration('ops/nginx/nginx.conf', {
      'user www-data;': process.getuid?.() === 0 ? 'user root;' : '',
      '/run/nginx.pid': join(folder, 'nginx.pid'),
      'error_log /var/log/nginx/error.log;': 'error_log stderr notice;',
      '/var/log/nginx': folder,
      '/etc/ssl/cashier': folder,
      'http {': `http {\n${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}`,
      '10.0.0.1:3000': first,
      '10.0.0.2:3000': second,
      'listen 80;': `listen 127.0.0.1:${ports.http};`,
      'listen 443 ssl': `listen 127.0.0.1:${ports.https} ssl`,
      'cashier.example.com': 'localhost',
    })
    writeFileSync(file, text)
    const args = ['-c', file, '-e', 'stderr']
    const program = await startSupervised({
      command: 'nginx',
      args: [...args, '-g', 'daemon off;'],
      env: { NODE_ENV: 'test', PATH },
      ready: /start worker process/,
      removeAfter: [folder],
    })
    return {
      ca: readFileSync(join(folder, 'fullchain.pem'), 'utf8'),
      reload: () => execFileSync('nginx', [...args, '-s', 'reload'], { stdio: 'pipe' }),
      logs: () => program.output() + readFileSync(join(folder, 'access.log'), 'utf8'),
      async stop() {
        await program.stop()
      },
    }
  },
}

const caddy: ProxyKind = {
  name: 'Caddy',
  isHere: isHere('caddy', 'version'),
  async start([first, second], ports) {
    const folder = mkdtempSync(join(tmpdir(), 'cashier-caddy-'))
    const file = join(folder, 'Caddyfile')
    const admin = `localhost:${await freePort()}`
    const test = [`admin ${admin}`, 'skip_install_trust', 'default_bind 127.0.0.1']
    const options = [...test, `http_port ${ports.http}`, `https_port ${ports.https}`]
    const text = configuration('ops/caddy/Caddyfile', {
      '\n{\n': `\n{\n${options.join('\n')}\n`,
      '10.0.0.1:3000': first,
      '10.0.0.2:3000': second,
      'cashier.example.com': 'localhost',
    })
    writeFileSync(file, text)
    const program = await startSupervised({
      command: 'caddy',
      args: ['run', '--config', file],
      env: { NODE_ENV: 'test', PATH, HOME: folder, XDG_DATA_HOME: folder },
      // Before the certificate of a new folder, it answers no handshake.
      ready:
        /serving initial configuration[^]*certificate obtained|certificate obtained[^]*serving initial configuration/,
    })
    const reload = ['reload', '--force', '--config', file, '--address', admin]
    return {
      ca: readFileSync(join(folder, 'caddy/pki/authorities/local/root.crt'), 'utf8'),
      reload: () => execFileSync('caddy', reload, { stdio: 'pipe' }),
      logs: () => program.output(),
      async stop() {
        await program.stop()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

export const PROXIES: readonly ProxyKind[] = [nginx, caddy]
