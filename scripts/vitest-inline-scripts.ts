/** Builds the inline scripts of the server's static pages, because the tests run without a build. */
export { writeInline as default } from './build-embed.ts'
