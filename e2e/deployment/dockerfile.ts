/** Reads our Dockerfile for a test: one instruction per line, without expanding variables. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

export interface Image {
  /** Shell commands of the first stage, in order. */
  readonly build: readonly string[]
  /** The folders that the last stage copies from the first stage, with source and target. */
  readonly copies: readonly (readonly [from: string, to: string])[]
  readonly user: string
  readonly env: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly health: readonly string[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

const list = z.array(z.string()).min(1)

export function readDockerfile(path: string): Image {
  const lines = readFileSync(path, 'utf8').split('\n')
  const of = (instruction: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1))
  const json = (text = ''): readonly string[] => list.parse(JSON.parse(text.slice(text.indexOf('['))))
  const named = (instruction: string): Readonly<Record<string, string>> =>
    Object.fromEntries(of(instruction).map((text) => text.split('=') as [string, string]))
  return {
    build: of('RUN'),
    copies: of('COPY')
      .filter((text) => text.startsWith('--from=build '))
      .map((text) => text.split(' ').filter((word) => !word.startsWith('--')))
      .map(([from = '', to = '']) => [from, to] as const),
    user: of('USER')[0] ?? '',
    env: named('ENV'),
    labels: named('LABEL'),
    health: json(of('HEALTHCHECK')[0]),
    entrypoint: json(of('ENTRYPOINT')[0]),
    command: json(of('CMD')[0]),
  }
}
