#!/usr/bin/env node
/** `cashier-sandbox`: the program of the sandbox's own package. */
import { launch } from './launch.mjs'

await launch(import.meta.url, new URL('../sandbox/main.ts', import.meta.url).href)
