import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface Asset {
  readonly type: string
  readonly text: string
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

async function script(source: string): Promise<Asset> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [file(source)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  return { type: 'text/javascript; charset=utf-8', text: outputFiles[0]?.text ?? '' }
}

const style = async (source: string): Promise<Asset> => ({
  type: 'text/css; charset=utf-8',
  text: await readFile(file(source), 'utf8'),
})

const ASSETS: Readonly<Record<string, () => Promise<Asset>>> = {
  'control.js': () => script('control/main.ts'),
  'widget.js': () => script('widget/main.ts'),
  'page.css': () => style('page.css'),
  'control.css': () => style('control/control.css'),
  'explorer.css': () => style('explorer/explorer.css'),
  'widget.css': () => style('widget/widget.css'),
}

const built = new Map<string, Promise<Asset>>()

/** A script (built from TypeScript once) or a style sheet by its name; null for any other name. */
export async function asset(name: string): Promise<Asset | null> {
  const load = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined
  if (!load) return null
  const known = built.get(name) ?? load()
  built.set(name, known)
  return known
}
