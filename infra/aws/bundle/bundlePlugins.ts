import { readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import type { OnLoadArgs, Plugin, PluginBuild } from 'esbuild';

const BUILTINS = new RegExp(`^(node:)?(${builtinModules.join('|')})$`);

/**
 * Node reads every member of a module of its own that an ES module imports, and so loads what nobody asked for:
 * argon2 for a hash, streams for a file. Asked for by name they cost a tenth of the start less.
 */
export const nodeModules: Plugin = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: BUILTINS }, ({ path: name, kind, importer }) =>
      kind === 'import-statement'
        ? {
            path: name.replace(/^(node:)?/, 'node:'),
            // One for each who imports it: what is shared lies in a file of its own.
            suffix: `?${importer}`,
            namespace: 'node',
            sideEffects: false,
          }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'node' }, async ({ path: name }) => {
      const { default: _, ...members } = (await import(name)) as Record<string, unknown>;
      const lines = Object.keys(members).map(
        (member) => `export const ${member} = /* @__PURE__ */ (() => builtin.${member})();`,
      );
      return {
        contents: [
          `const builtin = /* @__PURE__ */ process.getBuiltinModule('${name}');`,
          'export default builtin;',
          ...lines,
        ].join('\n'),
      };
    });
  },
};

interface Replacement {
  readonly modules: RegExp;
  /** What stands in its place; undefined where it stays as it is. */
  readonly contents: (file: string) => string | undefined;
}

/** All that the house asks of Stripe. */
const STRIPE_RESOURCES_USED =
  /resources\/(Customers|Subscriptions|Checkout\/(index|Sessions)|BillingPortal\/(index|Sessions)|Billing\/(index|MeterEvents))\.js$/;

/** What a function would carry and can never use. */
const REPLACEMENTS: readonly Replacement[] = [
  {
    // Its credentials are in its environment: no profiles, no single sign-on, no clients of four services for them.
    modules: /\/@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    contents: () => `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
  },
  {
    // The table's address follows from its region, and is never asked for.
    modules: /\/@aws-sdk\/endpoint-cache\/dist-es\/index\.js$/,
    contents: () => 'export class EndpointCache {}',
  },
  {
    // None of the three services answers with a stream of events.
    modules: /\/@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/,
    contents: () => LEFT_OUT,
  },
  {
    // Nothing that is deployed describes its schemas.
    modules: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/,
    contents: (file) => exportsOf(file, (name) => `export const ${name} = () => { ${LEFT_OUT} };`),
  },
  {
    // Examples of bodies are for documents and tests.
    modules: /\/shared\/contracts\/base\/example\.ts$/,
    contents: () => 'export const EXAMPLE_ID = undefined; export function example() {}',
  },
  {
    // Tokens are signed by KMS.
    modules: /\/jsonwebtoken\/sign\.js$/,
    contents: () => `module.exports = () => { ${LEFT_OUT} };`,
  },
  {
    // They ask a library of 29 kB what is known of the Node version that is bundled for.
    modules: /\/jsonwebtoken\/lib\/\w+Supported\.js$/,
    contents: (file) => `module.exports = ${JSON.stringify(createRequire(file)(file))};`,
  },
  {
    // A client makes one of each kind of resource, of which there are 150.
    modules: /\/stripe\/esm\/(resources\/.*|StripeEventNotificationHandler)\.js$/,
    contents: (file) =>
      STRIPE_RESOURCES_USED.test(file) ? undefined : exportsOf(file, (name) => `export class ${name} {}`),
  },
  {
    // It takes hold of all of node:http, for tests that patch it, and so loads a client of web sockets.
    modules: /\/stripe\/esm\/net\/NodeHttpClient\.js$/,
    contents: (file) => {
      const text = readFileSync(file, 'utf8');
      const mended = text.replaceAll(/\b(\w+)\.default \|\| \1\b/g, '$1.default');
      return mended === text ? undefined : mended;
    },
  },
];

const LEFT_OUT = `throw new Error('This is left out of the bundles: see infra/aws/bundle/bundlePlugins.ts');`;

/** A module that exports the same names. */
function exportsOf(file: string, declare: (name: string) => string): string {
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name = '']) => name);
  const renamed = [...text.matchAll(/^export \{.*\};$/gm)].map(([line]) => line);
  return [...names.map(declare), ...renamed].join('\n');
}

/** Fails the build when there is nothing left to replace: an update may have moved it, or made it needless. */
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
