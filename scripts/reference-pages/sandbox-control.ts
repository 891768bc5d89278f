/** docs/reference/sandbox-control.md: every route of the sandbox's control API. */
import { CONTROL_ROUTES } from '../../sandbox/control/routes.ts'
import { code, paragraphs, markdownList, WRITTEN } from './markdown.ts'

const HEAD = `# Sandbox control API

It plays the blockchain, the operator and the payment provider of [the sandbox](../guides/test.md), at \`http://localhost:4010\`. It has **no password**: keep it off any network.

\`/openapi.json\` ([a copy](../../sandbox/openapi.json)) describes inputs and answers. A step of a transaction answers \`{"transaction": …}\`; its \`transaction_uuid\` is the \`:uuid\` of the next step. An error is \`{error, message}\`: 404, 409 (the state does not allow the step) or 422 (\`errors\` by field). [crypto-cashier-testing](../../packages/testing/README.md) has a typed client.`

/** The words before the input: openapi.json has the inputs. */
const withoutInput = (about: string): string => about.replace(/: (?:\{(?:[^{}]|\{[^{}]*\})*\}|\?[\w=&]+)(?=[.;])/, '')

/** An input within a sentence, such as `{amount, confirm?}` or `?limit=`, as code. */
const withInputs = (about: string): string =>
  about.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}|\?\w+=[\w=&]*/g, (input) => code(input))

/** Routes for the sandbox's own page only, which are not documented. */
const OWN: readonly string[] = ['/overview', '/routes']

export function sandboxControlPage(): string {
  const rows = CONTROL_ROUTES.filter(({ path }) => !OWN.includes(path)).map(
    ({ method, path, about }) => [code(`${method} /control${path}`), withInputs(withoutInput(about))] as const,
  )
  return paragraphs(WRITTEN, HEAD, markdownList(rows))
}
