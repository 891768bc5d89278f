/** With `--import`: writes the address of each module that a process loads into the file `LOADED_MODULES`. */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env['LOADED_MODULES'] ?? ''
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`)
    return nextLoad(url, context)
  },
})
