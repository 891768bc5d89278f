/**
 * What a release was made from: a statement in the form of in-toto with the predicate SLSA Provenance v1. It is not
 * signed; who publishes a release signs it or the sums.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

export interface Build {
  /** The released files. */
  readonly folder: string
  readonly names: readonly string[]
  readonly version: string
  /** The address of the sources. */
  readonly repository: string
  readonly startedMs: number
  readonly finishedMs: number
}

export function provenanceOf({ folder, names, version, repository, startedMs, finishedMs }: Build): object {
  const time = (ms: number): string => new Date(ms).toISOString()
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: names.map((name) => ({ name, digest: { sha256: sha256(readFileSync(join(folder, name))) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/npm-run-release`,
        externalParameters: { version },
        internalParameters: { platform: `${process.platform}-${process.arch}`, node: process.version },
        resolvedDependencies: [
          { uri: `git+${repository}`, digest: { gitCommit: git('rev-parse', 'HEAD') } },
          {
            uri: 'package-lock.json',
            digest: { sha256: sha256(readFileSync(join(ROOT, 'package-lock.json'))) },
          },
        ],
      },
      runDetails: {
        builder: { id: `${repository}/local-machine` },
        metadata: { startedOn: time(startedMs), finishedOn: time(finishedMs) },
      },
    },
  }
}
