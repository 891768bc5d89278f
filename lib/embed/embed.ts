/** The merchant's script, bundled to public/embed.js and public/embed/v1.js. */
import { createMount } from './mount.ts'
import { ownOrigin } from './own-origin.ts'

globalThis.Cashier = { mount: createMount(ownOrigin(document)) }
