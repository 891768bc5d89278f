/**
 * Lets Node run the program where npm has installed it. Node does not remove types from files below node_modules, so
 * the package has them without types, under their names; this says that they are JavaScript.
 */
import { registerHooks } from 'node:module'

const PROGRAM = new URL('../', import.meta.url).href

registerHooks({
  load: (url, context, next) =>
    next(url, url.startsWith(PROGRAM) && url.endsWith('.ts') ? { ...context, format: 'module' } : context),
})
