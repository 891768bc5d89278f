/**
 * Lets Node run the program's TypeScript where npm has installed it: by itself, Node reads TypeScript everywhere except
 * below node_modules. Each file is read as Node reads it elsewhere: types become blanks, so that lines stay the same.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const PROGRAM = new URL('../../', import.meta.url).href

registerHooks({
  load(url, context, next) {
    const isOurs =
      url.startsWith(PROGRAM) && url.endsWith('.ts') && !url.slice(PROGRAM.length).includes('node_modules/')
    if (!isOurs) return next(url, context)
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', shortCircuit: true, source }
  },
})
