/** Builds and serves an empty page with the same Next: the baseline for the size of our pages. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { freePort } from '../../scripts/free-port.ts'
import { type SupervisedProcess, startSupervised } from '../../scripts/supervised-process.ts'

const { version } = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('next/package.json'))

const files: Readonly<Record<string, string>> = {
  'app/layout.jsx': `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  'app/page.jsx': `export default function Page() {
  return null
}
`,
  'next.config.mjs': 'export default { agentRules: false }\n',
}

const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
const next = resolve('node_modules/.bin/next')

/** Built once per Next version. The folder lies inside the project, so that it resolves the same packages. */
async function build(): Promise<string> {
  const folder = resolve('.cache/empty-page', version)
  if (existsSync(join(folder, '.next/BUILD_ID'))) return folder
  mkdirSync(join(folder, 'app'), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  await promisify(execFile)(process.execPath, [next, 'build', folder], { env })
  return folder
}

export async function startEmptyPage(): Promise<{ readonly url: string; readonly process: SupervisedProcess }> {
  const folder = await build()
  const port = await freePort()
  const args = [next, 'start', folder, '-p', String(port), '-H', '127.0.0.1']
  const server = await startSupervised({ command: process.execPath, args, env, ready: /Ready in/ })
  return { url: `http://127.0.0.1:${port}/`, process: server }
}
