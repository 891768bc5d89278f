#!/usr/bin/env node
/** `cashier COMMAND`: runs a command (scripts/program/main.ts) with the options of Node that it needs. */
import process from 'node:process'
import { launch } from './launch.mjs'

const SERVER = ['--conditions=react-server']
/** By command; the others get those of the server's code. */
const OPTIONS = { start: ['--max-semi-space-size=16', ...SERVER], demo: [], sandbox: [] }

/** One arena of glibc's allocator: each thread would keep megabytes in its own. */
const VARIABLES = { start: { MALLOC_ARENA_MAX: '1' } }

const main = new URL('program/main.ts', import.meta.url).href
await launch(import.meta.url, main, OPTIONS[process.argv[2]] ?? SERVER, VARIABLES[process.argv[2]])
