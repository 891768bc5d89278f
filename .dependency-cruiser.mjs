/**
 * Module boundaries: which module may import which (docs/explanation/architecture.md has a drawing). Every rule is an error and its
 * `comment` is the reason. Tests follow the rules of what they test; the store's test tools may import the store.
 */
const lib = (modules) => `^lib/(${modules})/`
const server = (modules) => `^lib/server/(${modules})/`
const test = '[.]test[.]tsx?$'

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** A module of the server may import from `lib` only itself and these others. */
const only = (module, others, why) =>
  rule(`server-${module}`, why, { path: server(module) }, { path: '^lib/', pathNot: [server(module), ...others] })

const contract = lib('contract')
/** What every use case may import. */
const foundation = [contract, lib('addresses'), server('gateway|jobs|ledger|measures|store|stream')]

/** @type {import('dependency-cruiser').IConfiguration} */
const config = {
  forbidden: [
    rule('no-cycles', 'Two files that need each other are one file, or a third is missing.', {}, { circular: true }),
    {
      ...rule(
        'no-folder-cycles',
        'If two folders import each other, neither can be read or changed without the other. Tests count. The folders of the runtime compose one another.',
        { path: '^(app|components|lib)/', pathNot: '^lib/server/(ledger|runtime|store)(/|$)' },
        { circular: true },
      ),
      scope: 'folder',
    },
    rule(
      'resolvable',
      'An import that cannot be resolved would escape every other rule. The examples for apps and backends import what merchants install.',
      { pathNot: '^examples/(apps|backends)/' },
      { couldNotResolve: true },
    ),
    rule(
      'no-dev-packages-in-production',
      'Production code must work after `npm ci --omit=dev`.',
      { path: '^(app|components|lib|server[.]ts)', pathNot: [test, '/testing/'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm', 'npm-optional'] },
    ),
    rule(
      'no-unlisted-packages',
      'A package that is only a dependency of another package may disappear with it.',
      { path: '^(app|components|lib|e2e|examples|sandbox|scripts|bench|simulation|server[.]ts)' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'nothing-imports-outwards',
      'app/ is the outermost layer, and tests, sandbox and examples use it from outside: lib/ and components/ run without them.',
      { path: '^(lib|components)/' },
      { path: '^(app|e2e|examples|sandbox|simulation)/' },
    ),
    rule(
      'tests-are-leaves',
      'Code that production code or another test needs does not belong in a test file.',
      {},
      { path: test },
    ),
    rule(
      'leaf-contract',
      'Every runtime imports the contract, so it must not bring other code with it.',
      { path: contract },
      { path: '^(lib|components)/', pathNot: contract },
    ),
    rule(
      'leaf-addresses',
      'Address checks run in the page and on the server, so they depend on neither.',
      { path: lib('addresses') },
      { path: '^(lib|components)/', pathNot: [lib('addresses'), contract] },
    ),
    rule(
      'leaf-i18n',
      'Messages and formats are used in the page and on the server, so they depend on neither.',
      { path: lib('i18n') },
      { path: '^(lib|components)/', pathNot: [lib('i18n'), contract] },
    ),
    rule(
      'leaf-embed',
      "The script for merchants' pages must stay small: the protocol and nothing else of ours.",
      { path: lib('embed') },
      { path: '^(lib|components)/', pathNot: [lib('embed'), contract] },
    ),
    rule(
      'page-side',
      'Browser and server share lib/contract only.',
      { path: lib('browser') },
      { path: '^(lib|components)/', pathNot: [lib('browser|addresses|i18n'), contract] },
    ),
    rule(
      'components',
      'A component that reached past lib/browser would tie the screen to the server.',
      { path: '^components/' },
      { path: '^lib/', pathNot: [lib('browser|addresses|i18n'), lib('embed/frame'), contract] },
    ),
    rule(
      'app-is-thin',
      'A page or a route only calls these modules; logic does not belong in app/.',
      { path: '^app/' },
      { path: '^lib/', pathNot: [lib('browser|i18n'), contract, server('cashier|merchant|webhooks|stream|runtime')] },
    ),
    rule(
      'no-server-in-the-browser',
      'Code for the browser must not reach secrets or Node.',
      { path: '^(components/|lib/(browser|embed|addresses|i18n|contract)/)', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'no-classic-zod-in-the-browser',
      'Classic zod alone would use a fifth of the page budget; zod/mini has the same features.',
      { path: '^(components/|lib/(browser|embed|addresses|i18n|contract)/)', pathNot: test },
      { path: 'node_modules/zod/', pathNot: 'node_modules/zod/(v4/)?mini/' },
    ),
    only(
      'gateway',
      [contract, server('ledger')],
      "The gateway's protocol ends here: it is translated into the ledger's neutral facts and nothing more.",
    ),
    rule(
      'server-ledger',
      'The ledger is pure: it knows no store, no use case and no protocol of the gateway. Its tests may use the store.',
      { path: server('ledger'), pathNot: test },
      { path: '^lib/', pathNot: [server('ledger'), contract, lib('addresses')] },
    ),
    only('jobs', [], 'The scheduler of jobs does not depend on what a job does.'),
    only('store', [contract, server('ledger')], 'The use cases call the store, not the other way round.'),
    only(
      'stream',
      [contract, server('store')],
      'The event log stores and sends events; it does not know what causes them.',
    ),
    only(
      'measures',
      [contract, server('jobs|store')],
      'What is usual is measured from what is stored, whoever asks for it.',
    ),
    ...['cashier', 'webhooks', 'reconcile', 'merchant'].map((module) =>
      only(module, foundation, 'Use cases share what they store; they do not call one another.'),
    ),
    only(
      'operate',
      foundation,
      'The console has use cases of its own; those of other modules are given to it by the composition root.',
    ),
    rule(
      'console-apart',
      "The cashier's pages load nothing of the console.",
      { path: '^(app|components|lib/(browser|contract))/', pathNot: '(^|/)operate/|^app/delivery-view/' },
      { path: '^(app|components|lib/browser)/operate/' },
    ),
    rule(
      'console-without-the-cashier',
      'The console shares parts of screens with the cashier, and nothing that needs a session of a user.',
      { path: '^(app|components)/operate/' },
      { path: '^components/', pathNot: '^components/(operate|ui|context/translations)' },
    ),
    rule(
      'store-by-its-types',
      'Other modules see the types of the store only, so that they work the same on SQLite and PostgreSQL.',
      {
        path: server('cashier|webhooks|reconcile|measures|merchant|operate|gateway|ledger|stream'),
        pathNot: [test, '/testing/'],
      },
      { path: server('store'), pathNot: '^lib/server/store/types[.]ts$' },
    ),
    ...[
      ['database', ['tables', 'unit', 'commands'], 'Connections, dialect and migrations know no query.'],
      [
        'tables',
        ['unit', 'commands'],
        'Every unit of work and command may use the query of a table, so a query depends on neither.',
      ],
      ['unit', ['commands'], 'Code that serves requests must not need the commands of the operator.'],
    ].map(([folder, others, why]) =>
      rule(
        `store-${folder}`,
        why,
        { path: `^lib/server/store/${folder}/`, pathNot: test },
        { path: [...others.map((other) => `^lib/server/store/${other}/`), '^lib/server/store/store[.]ts$'] },
      ),
    ),
    rule(
      'kysely-in-the-store',
      'The conformance suite of the store runs on both databases; it would miss a query outside the store.',
      { path: '^(app|components|lib)/', pathNot: [server('store'), test] },
      { path: 'node_modules/(kysely|pg)/' },
    ),
    rule(
      'composition-root',
      'runtime composes all modules. If a module imported it, there would be a cycle of responsibilities.',
      { path: '^lib/', pathNot: server('runtime') },
      { path: server('runtime') },
    ),
    rule(
      'sandbox-shares-no-code',
      "A mistake in shared code would pass on both sides, so the sandbox implements the gateway's specification independently.",
      { path: '^sandbox/' },
      { path: '^(app|components|lib|e2e|examples|scripts|bench|simulation)/' },
    ),
    rule(
      'examples-share-no-code',
      'An integrator copies an example into a project that has none of our code.',
      { path: '^examples/' },
      { path: '^(app|components|lib|e2e|sandbox|scripts|bench|simulation)/' },
    ),
    rule(
      'packages-stand-alone',
      'A package is installed without the rest of the project. `npm run packages` copies the shared code into it.',
      { path: '^packages/', pathNot: test },
      { path: '^(app|components|lib|e2e|examples|sandbox|scripts|bench|simulation)/' },
    ),
    rule(
      'packages-of-their-own',
      'Each package is installed without the others.',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: '^packages/$1/' },
    ),
    rule(
      'oracle-shares-no-code',
      'The oracle would repeat a mistake in shared code, so the models and the oracle calculate independently.',
      { path: '^simulation/', pathNot: '^simulation/(instance[.]ts$|histories/cashier/)' },
      { path: '^(app|components|lib|e2e|examples|sandbox|bench)/' },
    ),
    rule(
      'from-outside',
      'Browser tests see what a merchant and a user see.',
      { path: '^e2e/(fixtures|views|specs|size|pictures)/' },
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
