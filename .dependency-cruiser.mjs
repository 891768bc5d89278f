/**
 * Which room may import from which (docs/architecture.md draws it). Every rule is an error; `comment` says why.
 * Tests obey the same rules as what they test, but for `tests-are-leaves` and the store's own test kit.
 */
const lib = (rooms) => `^lib/(${rooms})/`
const server = (rooms) => `^lib/server/(${rooms})/`
const test = '[.]test[.]tsx?$'

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** A room of the server and the only rooms of `lib` that it may import besides itself. */
const only = (room, others, why) =>
  rule(`server-${room}`, why, { path: server(room) }, { path: '^lib/', pathNot: [server(room), ...others] })

const contract = lib('contract')
/** What the sibling use cases stand on. Ports are files of the room whose need they state. */
const ground = [contract, lib('addresses'), server('gateway|ledger|store|stream')]

/** @type {import('dependency-cruiser').IConfiguration} */
const config = {
  forbidden: [
    rule('no-cycles', 'Two files that need each other are one file, or a third is missing.', {}, { circular: true }),
    rule(
      'resolvable',
      'An import that resolves to nothing would escape every other rule.',
      {},
      { couldNotResolve: true },
    ),
    rule(
      'no-dev-packages-in-production',
      'What runs in production must be there after `npm ci --omit=dev`.',
      { path: '^(app|components|lib|server[.]ts)', pathNot: [test, '/testing/'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm', 'npm-optional'] },
    ),
    rule(
      'no-unlisted-packages',
      'A package that only another one brings may go with that one.',
      { path: '^(app|components|lib|e2e|scripts|bench|server[.]ts)' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'nothing-imports-app-or-e2e',
      'app/ is the outermost layer and e2e/ looks from outside: the product must build and run without either.',
      { path: '^(lib|components)/' },
      { path: '^(app|e2e)/' },
    ),
    rule('tests-are-leaves', 'What production or another test needs does not live in a test.', {}, { path: test }),
    rule(
      'leaf-contract',
      'The words that every run-time shares drag nothing in with them.',
      { path: contract },
      { path: '^(lib|components)/', pathNot: contract },
    ),
    rule(
      'leaf-addresses',
      'Checks of an address run in the page and on the server: they know neither.',
      { path: lib('addresses') },
      { path: '^(lib|components)/', pathNot: [lib('addresses'), contract] },
    ),
    rule(
      'leaf-i18n',
      'Messages and formats serve page and server alike: they know neither.',
      { path: lib('i18n') },
      { path: '^(lib|components)/', pathNot: [lib('i18n'), contract] },
    ),
    rule(
      'leaf-embed',
      "The script for the merchant's page carries the protocol and nothing else of ours.",
      { path: lib('embed') },
      { path: '^(lib|components)/', pathNot: [lib('embed'), contract] },
    ),
    rule(
      'page-side',
      'The browser speaks with the server through lib/contract only.',
      { path: lib('browser') },
      { path: '^(lib|components)/', pathNot: [lib('browser|addresses|i18n'), contract] },
    ),
    rule(
      'components',
      'A component that reached past lib/browser would tie the screen to the server.',
      { path: '^components/' },
      { path: '^lib/', pathNot: [lib('browser|addresses|i18n'), contract] },
    ),
    rule(
      'app-doors',
      'A page or a route is thin: it opens one of these doors and adds nothing.',
      { path: '^app/' },
      { path: '^lib/', pathNot: [lib('browser|i18n'), contract, server('cashier|merchant|webhooks|stream|runtime')] },
    ),
    rule(
      'no-server-in-the-browser',
      'Whatever the browser loads must not reach secrets or Node.',
      { path: '^(components/|lib/(browser|embed|addresses|i18n|contract)/)', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'no-classic-zod-in-the-browser',
      'Classic zod alone would spend a fifth of the page budget; zod/mini says the same.',
      { path: '^(components/|lib/(browser|embed|addresses|i18n|contract)/)', pathNot: test },
      { path: 'node_modules/zod/', pathNot: 'node_modules/zod/(v4/)?mini/' },
    ),
    only('gateway', [contract], "The gateway's words end here; it knows nothing of what we do with them."),
    only('ledger', ground, 'The books stand below the use cases and know none of them.'),
    only('store', [contract, server('gateway|ledger|stream')], 'Storage serves the use cases and must not call them.'),
    only('stream', [contract, server('store')], 'A log of events knows what is logged, not why.'),
    ...['cashier', 'webhooks', 'reconcile', 'merchant'].map((room) =>
      only(room, ground, 'Use cases meet in what they store, never by calling one another.'),
    ),
    rule(
      'store-by-its-port',
      'What asks for data must not see how it is kept; so SQLite and PostgreSQL stay one thing to all others.',
      { path: server('cashier|webhooks|reconcile|merchant|gateway|ledger|stream'), pathNot: [test, '/testing/'] },
      { path: server('store'), pathNot: '^lib/server/store/port[.]ts$' },
    ),
    rule(
      'kysely-in-the-store',
      'A query outside the store is a query that the conformance suite does not run on both databases.',
      { path: '^(app|components|lib)/', pathNot: [server('store'), test] },
      { path: 'node_modules/(kysely|pg)/' },
    ),
    rule(
      'composition-root',
      'runtime knows everything; nothing in lib may know it, or there would be a second way in.',
      { path: '^lib/', pathNot: server('runtime') },
      { path: server('runtime') },
    ),
    rule(
      'sandbox-shares-no-code',
      "A mistake in shared code would pass on both sides; the sandbox reads the gateway's document for itself.",
      { path: '^e2e/sandbox/' },
      { path: '^(app|components|lib|e2e|scripts|bench)/', pathNot: '^e2e/sandbox/' },
    ),
    rule(
      'from-outside',
      'Browser tests and the demo merchant see what a merchant sees.',
      { path: '^e2e/(fixtures|views|specs|size|pictures|merchant)/' },
      { path: '^(app|components|lib)/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(public|[.]next)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['react-server', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
    builtInModules: { add: ['node:sqlite'] },
  },
}

export default config
