/**
 * The import rules of this repository. `may(from, ...to)` lists all that a folder may import from this repository;
 * `only(folder, packages)` names the one folder that may import a package.
 */
const forbidden = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

const may = (from, ...to) =>
  forbidden(
    `imports-of-${from.replaceAll('/', '-')}`,
    { path: `^${from}/` },
    {
      path: '^(functions|shared|infra|scripts|test|bench|clients)/',
      pathNot: [from, ...to].map((place) => `^${place}`),
    },
    `${from}/ may import only: ${to.join(', ') || 'nothing else of this repository'}`,
  );

const only = (folder, packages) =>
  forbidden(
    `only-${folder.replaceAll('/', '-')}-imports-${packages.replace(/[^a-z]+/g, '-')}`,
    { path: '^(functions|shared|infra)/', pathNot: `^${folder}/` },
    { path: `^node_modules/(${packages})` },
    `only ${folder}/ imports ${packages}`,
  );

const packages = (from, allowed) =>
  forbidden(
    `packages-of-${from.replaceAll('/', '-')}`,
    { path: `^${from}/` },
    { path: '^node_modules/', pathNot: `^node_modules/(${allowed})` },
    `${from}/ may import only these packages: ${allowed}`,
  );

module.exports = {
  forbidden: [
    forbidden('no-cycles', {}, { circular: true }, 'nothing imports itself, however far around'),
    forbidden('resolvable', {}, { couldNotResolve: true }, 'every import leads somewhere'),
    forbidden(
      'no-function-imports-another',
      { path: '^functions/([^/]+/[^/]+)' },
      { path: '^functions/', pathNot: '^functions/$1' },
      'each function is bundled and deployed alone',
    ),
    forbidden(
      'no-development-packages',
      { path: '^(functions|shared|infra/local|clients/(cli|dashboard|files|gate|importers|pages|sdk))/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
      'what is deployed, and what `npm start` and `npm run cli` run, has only the packages that those install',
    ),
    may('shared/contracts'),
    packages('shared/contracts', 'zod'),
    may('shared/scoring', 'shared/contracts/(runs|scorers|gates|base/(fields|providers|scorerTypes)|json/)'),
    packages('shared/scoring', 'zod|ajv'),
    may('shared/domain', 'shared/contracts/', 'shared/scoring/', 'package.json'),
    packages('shared/domain', 'zod|any-ascii'),
    may(
      'shared/storage',
      'shared/contracts/',
      'shared/domain/',
      'shared/scoring/(digest/|verdict/shortNames)',
    ),
    may('shared/vault', 'shared/contracts/statements', 'shared/domain/', 'shared/runtime/config'),
    may('shared/queue', 'shared/contracts/', 'shared/domain/', 'shared/runtime/'),
    may('shared/connection', 'shared/contracts/'),
    may(
      'shared/tokens',
      'shared/contracts/',
      'shared/domain/',
      'shared/connection/',
      'shared/runtime/',
      'shared/storage/accounts/keySets',
      'shared/vault/tokenKeys',
    ),
    only('shared/tokens', 'jsonwebtoken'),
    may('shared/runtime', 'shared/storage/table/(table|dynamoTable)'),
    may(
      'shared/http',
      'shared/contracts/',
      'shared/domain/',
      'shared/runtime/',
      'shared/storage/(accounts/(accounts|rateLimits)|table/table)',
      'shared/tokens/verifier',
      'shared/vault/tokenKeys',
    ),
    may('functions', 'shared/'),
    may('infra/local', 'shared/', 'functions/', 'clients/pages/'),
    // It names functions by their paths, and bundles them: it never runs them.
    may(
      'infra/aws',
      'shared/contracts/',
      'shared/queue/settings',
      'shared/runtime/log',
      'shared/storage/table/keys',
      'infra/functionSizes',
      'clients/(pages|bundle)/',
    ),
    // Written at build time: comments in the contracts are what the documents say of fields.
    may('clients/api', 'shared/contracts/', 'package.json'),
    packages('clients/api', 'zod'),
    may('clients/docs', 'clients/api/openapi/types'),
    packages('clients/docs', 'marked'),
    may('clients/pages'),
    packages('clients/pages', 'none'),
    // It bundles the SDK and the command line by their paths.
    may('clients/npm', 'clients/bundle', 'clients/bundles'),
    packages('clients/npm', 'esbuild'),
    // It reads files as the service would judge them, and calls nothing.
    may('clients/files', 'shared/contracts/', 'shared/scoring/'),
    packages('clients/files', 'zod|yaml|js-yaml|diff'),
    may('clients/importers', 'clients/files/', 'shared/contracts/', 'shared/scoring/'),
    packages('clients/importers', 'zod|yaml|js-yaml'),
    only('shared/storage', '@aws-sdk/(client-dynamodb|lib-dynamodb|util-dynamodb)'),
    only('shared/vault', '@aws-sdk/client-kms'),
    only('shared/queue', '@aws-sdk/client-sqs'),
    only('shared/scoring', 'ajv'),
    only('shared/http', '@middy'),
    may(
      'shared/judge',
      'shared/contracts/',
      'shared/connection/',
      'shared/domain/',
      'shared/scoring/(kit/(text|definition|invisible)|compare/precisionRecall|digest/(suite|documents))',
    ),
    may('shared/billing', 'shared/contracts/', 'shared/domain/', 'shared/runtime/'),
    only('shared/billing', 'stripe'),
    only('shared/judge', 'openai|@anthropic-ai'),
    // It runs in browsers, workers and every version of Node that it supports, and brings nothing along.
    may('clients/sdk'),
    forbidden(
      'nothing-but-itself-in-clients-sdk',
      { path: '^clients/sdk/' },
      { pathNot: '^clients/sdk/' },
      'clients/sdk/ imports no package and nothing of the runtime',
    ),
    // What the command line, the action and the dashboard have in common; none of them is imported.
    may('clients/gate', 'clients/(sdk|files|importers)/', 'shared/scoring/'),
    packages('clients/gate', 'none'),
    // It takes a run as the service answers it, and gives text.
    may('clients/gate/report', 'clients/sdk/'),
    may('clients/gate/problems', 'clients/gate/report/', 'clients/sdk/'),
    forbidden(
      'only-types-in-clients-gate-report',
      { path: '^clients/gate/(report|problems)/' },
      {
        pathNot: '^clients/(gate/(report|problems)|sdk/generated)/',
        dependencyTypesNot: ['type-only'],
      },
      'clients/gate/report/ and problems/ are pure: they import types of the SDK and words of the contracts',
    ),
    // What a browser runs; build.ts and describe.ts alone run on Node.
    may(
      'clients/dashboard',
      'clients/sdk/',
      'clients/gate/(report|problems)/',
      'clients/npm/licenses',
      'clients/bundle/',
      'shared/(contracts/|scoring/(registry|kit/definition))',
    ),
    forbidden(
      'only-types-of-the-service-in-browsers',
      { path: '^clients/dashboard/(app|kit|pages|parts)/' },
      { path: '^(shared|clients/(npm|bundle))/', dependencyTypesNot: ['type-only'] },
      'what a browser knows of the contracts is written into the scripts when they are built',
    ),
    forbidden(
      'kit-of-the-dashboard-is-the-ground',
      { path: '^clients/dashboard/kit/' },
      { path: '^clients/dashboard/', pathNot: '^clients/dashboard/kit/' },
      'clients/dashboard/kit/ imports no part and no page',
    ),
    forbidden(
      'parts-of-the-dashboard-know-no-page',
      { path: '^clients/dashboard/parts/' },
      { path: '^clients/dashboard/', pathNot: '^clients/dashboard/(kit|parts)/' },
      'parts are made of parts and the kit',
    ),
    forbidden(
      'no-page-imports-another',
      { path: '^clients/dashboard/pages/([^/]+)/' },
      { path: '^clients/dashboard/', pathNot: '^clients/dashboard/(kit|parts|pages/$1)/' },
      'what pages share is a part',
    ),
    packages('clients/dashboard', 'preact|@preact/signals|diff|esbuild'),
    may(
      'clients/cli',
      'clients/(sdk|gate|files|importers)/',
      'shared/contracts/base/statementForm',
      'shared/domain/templates/',
    ),
    packages('clients/cli', 'commander|yaml|js-yaml|zod|@clack/prompts'),
    may('clients/action', 'clients/(sdk|gate|files|importers)/'),
    packages('clients/action', 'yaml|js-yaml'),
    may('clients/bundle'),
    forbidden(
      'nothing-above-clients',
      { path: '^clients/' },
      { path: '^(infra|scripts|bench|test)/' },
      'infra, bench and scripts stand on clients, never the reverse',
    ),
    forbidden(
      'nothing-imports-scripts',
      { path: '^(functions|shared|infra|bench|clients)/' },
      { path: '^scripts/' },
      'scripts are entries',
    ),
    forbidden(
      'no-service-imports-clients',
      { path: '^(functions|shared)/' },
      { path: '^clients/' },
      'clients know the service, never the reverse',
    ),
    forbidden(
      'no-model-sdk-outside-the-evaluator',
      { path: '^functions/', pathNot: '^functions/evaluator/' },
      { path: '^node_modules/(openai|@anthropic-ai)', reachable: true },
      'however far around: API functions start without the model SDKs',
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^clients/(action|npm)/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
