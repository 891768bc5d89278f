/** The server's static pages contain scripts that a build makes; the tests run without a build. */
export { writeInline as default } from './build-embed.ts'
