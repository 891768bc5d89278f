/**
 * `cashier init`: writes the settings of a new installation into `.env`: new keys and secrets, and what only the
 * merchant knows, from options, the environment, or answers on the terminal.
 */
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { PROGRAM_COMMANDS } from './commands.ts'
import { usageText } from './help.ts'
import { answerFault, flagOf, QUESTIONS, settingFaults, type Answers, type Question } from './init-questions.ts'
import { stepsText, writeSettings } from './init-settings.ts'

const options = Object.fromEntries(
  PROGRAM_COMMANDS.init.options.map(({ name, value }) => [
    name,
    { type: value === null ? 'boolean' : 'string' } as const,
  ]),
)

/** Asks each question until its answer is allowed. Null if the input ends before. */
async function askAll(missing: readonly Question[]): Promise<Answers | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (question: Question): Promise<string | null> => {
    const { variable, text, usual } = question
    for (;;) {
      terminal.setPrompt(`${text}${usual === null || usual === '' ? '' : ` [${usual}]`}: `)
      terminal.prompt()
      const line = await lines.next()
      if (line.done === true) return null
      const answer = line.value.trim() || (usual ?? '')
      const fault = answerFault(question, answer)
      if (fault === null) return answer
      console.error(`${variable} ${fault}`)
    }
  }
  const answers: Record<string, string> = {}
  try {
    for (const question of missing) {
      const answer = await ask(question)
      if (answer === null) return null
      answers[question.variable] = answer
    }
    return answers
  } finally {
    terminal.close()
  }
}

/** Returns the exit code. */
async function init(): Promise<number> {
  const { values } = parseArgs({ options })
  const file = typeof values['file'] === 'string' ? values['file'] : '.env'
  const force = values['force'] === true
  if (existsSync(file) && !force) {
    console.error(`${file} exists, and has keys that are in use. --force overwrites it; --file writes another one.`)
    return 1
  }
  const given: Record<string, string> = values['allow-insecure-http'] === true ? { ALLOW_INSECURE_HTTP: 'on' } : {}
  for (const { variable } of QUESTIONS) {
    const value = values[flagOf(variable).slice('--'.length)] ?? process.env[variable]
    if (typeof value === 'string') given[variable] = value.trim()
  }
  const open = QUESTIONS.filter(({ variable }) => given[variable] === undefined)
  if (!process.stdin.isTTY) {
    const missing = open.filter(({ usual }) => usual === null)
    for (const { variable, text } of missing) console.error(`${flagOf(variable)} is missing: ${text}`)
    if (missing.length > 0) {
      console.error(`This is no terminal to ask on.\n\n${usageText('init')}`)
      return 2
    }
  }
  const usual = Object.fromEntries(open.map((question) => [question.variable, question.usual ?? '']))
  const answers = process.stdin.isTTY ? await askAll(open) : usual
  if (answers === null) {
    console.error('\nNothing was written.')
    return 1
  }
  const all = { ...given, ...answers }
  const faults = settingFaults(all)
  if (faults.length > 0) {
    for (const { variable, fault } of faults)
      console.error(`${flagOf(variable)} ${fault.replace('ALLOW_INSECURE_HTTP=on', '--allow-insecure-http')}`)
    console.error('Nothing was written.')
    return 1
  }
  const written = writeSettings(file, all, force)
  console.log(stepsText(written, all))
  return 0
}

process.exitCode = await init()
