import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { OnLoadArgs, Plugin, PluginBuild } from 'esbuild';

interface Replacement {
  readonly modules: RegExp;
  /** The new source; undefined keeps the module. */
  readonly contents: (file: string) => string | undefined;
}

/** The resources of Stripe's SDK that our calls use. */
const STRIPE_RESOURCES_USED =
  /resources\/(Customers|Subscriptions|Checkout\/(index|Sessions)|BillingPortal\/(index|Sessions)|Billing\/(index|MeterEvents))\.js$/;

const ERROR_OF_DYNAMODB = /^export class (\w+) extends __BaseException \{[\s\S]*?^\}/gm;
const ERRORS_OF_ITEMS =
  /^(?:Conditional|Transaction|Idempotent|Provisioned|Request|Throttling|Internal|Item|Resource(?!InUse)|Replicated|Duplicate|Limit|InvalidEndpoint)/;

/** Parts of packages that no function can use, and what replaces them. Bytes are those of a start, November 2026. */
const REPLACEMENTS: readonly Replacement[] = [
  {
    // 37 kB. Lambda sets credentials as variables: profiles, single sign-on and their clients are not needed.
    modules: /\/@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    contents: () => `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
  },
  {
    // 8 kB. The table's address follows from its region: endpoint discovery is not used.
    modules: /\/@aws-sdk\/endpoint-cache\/dist-es\/index\.js$/,
    contents: () => 'export class EndpointCache {}',
  },
  {
    // 8 kB. Node computes checksums, and requests are repeated in the standard way.
    modules: /\/@smithy\/core\/dist-es\/.*\/(Sha256Js|Md5Js|AdaptiveRetryStrategy|DefaultRateLimiter)\.js$/,
    contents: (file) => exportsOf(file, (name) => `export class ${name} {}`),
  },
  {
    // 4 kB. Lambda names the region in a variable, and no event stream is signed.
    modules:
      /\/@smithy\/(core\/dist-es\/.*\/getInstanceMetadataRegion|signature-v4\/dist-es\/HeaderFormatter)\.js$/,
    contents: (file) => exportsOf(file, (name) => `export class ${name} {}`),
  },
  {
    // 5 kB. Functions read and write items only: the errors of other operations need no fields of their own.
    modules: /\/@aws-sdk\/client-dynamodb\/dist-es\/models\/errors\.js$/,
    contents: (file) => {
      const text = readFileSync(file, 'utf8');
      const shortened = text.replaceAll(ERROR_OF_DYNAMODB, (match: string, name: string) =>
        ERRORS_OF_ITEMS.test(name) ? match : `export class ${name} extends __BaseException {}`,
      );
      return shortened === text ? undefined : shortened;
    },
  },
  {
    // 2 kB. A client reads its version alone.
    modules: /\/@aws-sdk\/client-\w+\/package\.json$/,
    contents: (file) => `export default { version: '${JSON.parse(readFileSync(file, 'utf8')).version}' };`,
  },
  {
    // 18 kB. No function converts its schemas to JSON Schema.
    modules: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/,
    contents: (file) =>
      `const leftOut = () => { ${LEFT_OUT} };\n${exportsOf(file, (name) => `export const ${name} = leftOut;`)}`,
  },
  {
    // 3 kB. It remembers each node of a value that may refer to itself: parsed JSON never does.
    modules: /\/zod\/v4\/core\/memoizer\.js$/,
    contents: (file) => exportsOf(file, (name) => `export const ${name} = () => undefined;`),
  },
  {
    // The words for people, with the calls that carry them: see withoutWords.
    modules: /\/shared\/contracts\/base\/fields\.ts$/,
    contents: () => 'export const described = (schema) => schema;',
  },
  {
    // 11 kB. KMS signs the tokens.
    modules: /\/jsonwebtoken\/sign\.js$/,
    contents: () => `module.exports = () => { ${LEFT_OUT} };`,
  },
  {
    // 28 kB. These constants of the Node version come from a library.
    modules: /\/jsonwebtoken\/lib\/\w+Supported\.js$/,
    contents: (file) => `module.exports = ${JSON.stringify(createRequire(file)(file))};`,
  },
  {
    // 155 kB. A client creates all of its 150 resources.
    modules: /\/stripe\/esm\/(resources\/.*|StripeEventNotificationHandler)\.js$/,
    contents: (file) =>
      STRIPE_RESOURCES_USED.test(file) ? undefined : exportsOf(file, (name) => `export class ${name} {}`),
  },
  {
    // A quarter of a start with Stripe: it reads all of node:http, for tests that patch it, and so loads web sockets.
    modules: /\/stripe\/esm\/net\/NodeHttpClient\.js$/,
    contents: (file) => {
      const text = readFileSync(file, 'utf8');
      const mended = text.replaceAll(/\b(\w+)\.default \|\| \1\b/g, '$1.default');
      return mended === text ? undefined : mended;
    },
  },
];

const LEFT_OUT = `throw new Error('This is left out of the bundles: see infra/aws/bundle/bundlePlugins.ts');`;

/** The source of a module with the same exported names. */
function exportsOf(file: string, declare: (name: string) => string): string {
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name = '']) => name);
  const renamed = [...text.matchAll(/^export \{.*\};$/gm)].map(([line]) => line);
  return [...names.map(declare), ...renamed].join('\n');
}

/** Fails the build when a module is not found: an update may have moved or removed it. */
export const replacements: Plugin = {
  name: 'replacements',
  setup(build) {
    const unused = new Set(REPLACEMENTS);
    for (const replacement of REPLACEMENTS) replaceIn(build, replacement, () => unused.delete(replacement));
    build.onEnd(() => ({
      errors: [...unused].map(({ modules }) => ({
        text: `There is no module ${modules} to replace any more: mend infra/aws/bundle/bundlePlugins.ts`,
      })),
    }));
  },
};

function replaceIn({ onLoad }: PluginBuild, { modules, contents }: Replacement, onUse: () => void): void {
  onLoad({ filter: modules }, ({ path: file }: OnLoadArgs) => {
    const replaced = contents(file);
    if (replaced === undefined) return undefined;
    onUse();
    return { contents: replaced, resolveDir: path.dirname(file) };
  });
}
