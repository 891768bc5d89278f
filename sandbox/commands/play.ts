import { readFileSync } from 'node:fs'
import { userReference } from '../operations/fields.ts'
import { EXAMPLE_SCENES } from '../scenes/examples.ts'
import { SceneError, readScene } from '../scenes/read-scene.ts'
import { StepError, runScene } from '../scenes/run-scene.ts'
import type { Scene } from '../scenes/scene.ts'
import { SANDBOX_OPTION, UsageError, sandboxUrl } from './command.ts'
import type { Command, Given, Print } from './command.ts'
import { controlClient } from './control-client.ts'
import { stopSignal } from './stop-signal.ts'

const exampleList = (): readonly string[] =>
  Object.entries(EXAMPLE_SCENES).map(([name, { about }]) => `  ${name.padEnd(28)} ${about}`)

function textOf(given: string): string {
  const example = Object.hasOwn(EXAMPLE_SCENES, given) ? EXAMPLE_SCENES[given] : undefined
  if (example) return JSON.stringify(example)
  try {
    return readFileSync(given, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new UsageError(
      [`${given} is neither a file that can be read${code} nor one of the scenes:`, ...exampleList()].join('\n'),
      { cause: error },
    )
  }
}

function readGivenScene({ words }: Given): Scene {
  const [given, more] = words
  if (given === undefined || more !== undefined)
    throw new UsageError(['play takes one scene: a file, or one of', ...exampleList()].join('\n'))
  try {
    return readScene(textOf(given))
  } catch (error) {
    if (error instanceof SceneError)
      throw new UsageError([`${given} cannot be played`, ...error.faults.map((fault) => `  - ${fault}`)].join('\n'))
    throw error
  }
}

function userOf({ options }: Given, scene: Scene): string {
  const read = userReference.safeParse(options['user'] ?? scene.user)
  if (read.success) return read.data
  throw new UsageError(`--user ${read.error.issues.map(({ message }) => message).join(', ')}`)
}

async function play(scene: Scene, given: Given, print: Print): Promise<number> {
  const user = userOf(given, scene)
  const started = performance.now()
  print(`${scene.name}, for ${user}: ${scene.about}`)
  try {
    await runScene(scene, { ask: controlClient(sandboxUrl(given)), user, print, stop: stopSignal() })
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    print(`FAILED  ${error.message}`)
    return 1
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print(`all ${String(scene.steps.length)} steps as expected, in ${seconds} s`)
  return 0
}

export const playCommand: Command = {
  name: 'play',
  usage: 'play SCENE [options]',
  about: 'Plays the steps of a scene, a JSON file, against a running sandbox. The exit code is 1 if a step fails.',
  options: [
    { name: 'user', takes: 'USER', about: "the user's reference [the scene's]" },
    { name: 'check', takes: null, about: 'only reads the scene' },
    SANDBOX_OPTION,
  ],
  more: ['scene.schema.json describes the file. Scenes that come with the sandbox:', ...exampleList()].join('\n'),
  async run(given, print) {
    const scene = readGivenScene(given)
    if (!given.switches.has('check')) return play(scene, given, print)
    print(`${scene.name}: ${String(scene.steps.length)} steps can be played`)
    return 0
  },
}
