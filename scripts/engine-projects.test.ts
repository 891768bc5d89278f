import { expect, test } from 'vitest'
import { engineRun } from './engine-projects.ts'

const all = ['chromium', 'firefox', 'firefox-strict', 'webkit', 'webkit-cookies']

test.each([
  [[], { projects: all, short: false, rest: [] }],
  [['--short'], { projects: ['firefox', 'webkit'], short: true, rest: [] }],
  [['--project=webkit'], { projects: ['webkit'], short: false, rest: [] }],
  [
    ['--project', 'chromium', '--project=firefox', '-g', 'history'],
    { projects: ['chromium', 'firefox'], short: false, rest: ['-g', 'history'] },
  ],
  [
    ['--short', '--project=webkit', '--repeat-each=5'],
    { projects: ['webkit'], short: true, rest: ['--repeat-each=5'] },
  ],
])('%j', (args, run) => {
  expect(engineRun(args)).toEqual(run)
})

test.each([[['--project=specs']], [['--project']]])('%j is refused: there is no such engine', (args) => {
  expect(() => engineRun(args)).toThrow('there is no engine')
})
