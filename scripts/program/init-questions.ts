/** What `cashier init` asks, and the check of each answer by the parser of the settings. */
import { readFileSync } from 'node:fs'
import { readConfig, type ConfigFault } from '#lib/server/runtime/config/config.ts'
import { variables } from '#lib/server/runtime/config/variables.ts'

/** Values by variable. */
export type Answers = Readonly<Record<string, string>>

export interface Question {
  readonly variable: keyof ReturnType<typeof variables>['shape']
  readonly text: string
  /** The value for no answer; null if an answer is needed. */
  readonly usual: string | null
}

export const QUESTIONS: readonly Question[] = [
  { variable: 'GATEWAY_BASE_URL', text: 'The address of the gateway', usual: null },
  { variable: 'GATEWAY_API_KEY', text: "Your API key, from the gateway's console", usual: null },
  { variable: 'GATEWAY_PUBLIC_KEY', text: "The gateway's public key: file:PATH, or base64 of its PEM", usual: null },
  {
    variable: 'GATEWAY_MERCHANT_REFERENCE',
    text: "The gateway's name for you (none: deposits are credited later)",
    usual: '',
  },
  { variable: 'PUBLIC_URL', text: 'The origin that users reach, such as https://cashier.example.com', usual: null },
  { variable: 'EMBED_ORIGINS', text: 'The origins of your site, such as https://shop.example.com', usual: null },
  { variable: 'ONRAMP_ORIGINS', text: "The origins of the payment provider's pages (none: no buying)", usual: '' },
  { variable: 'DATABASE_URL', text: 'The database: file:PATH or postgres://…', usual: 'file:./data/cashier.db' },
]

/** `--gateway-base-url` for `GATEWAY_BASE_URL`. */
export const flagOf = (variable: string): string => `--${variable.toLowerCase().replaceAll('_', '-')}`

const readFile = (path: string): string => readFileSync(path, 'utf8')

/** Null if the answer is allowed. */
export function answerFault({ variable, usual }: Question, answer: string): string | null {
  if (answer === '') return usual === null ? 'is required' : null
  const { error } = variables(readFile).shape[variable].safeParse(answer)
  return error?.issues[0]?.message ?? null
}

/** The faults of all answers, also of several together. */
export function settingFaults(answers: Answers): readonly ConfigFault[] {
  const read = readConfig(answers, readFile)
  const asked: readonly string[] = QUESTIONS.map(({ variable }) => variable)
  const faults = read.ok ? [] : read.faults.filter(({ variable }) => asked.includes(variable))
  const empty = QUESTIONS.filter(({ usual, variable }) => usual === null && answers[variable] === '')
  const named = new Set(faults.map(({ variable }) => variable))
  return [
    ...faults,
    ...empty.filter(({ variable }) => !named.has(variable)).map(({ variable }) => ({ variable, fault: 'is required' })),
  ]
}
