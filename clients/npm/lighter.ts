import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { nodeModules } from '../bundle/nodeModules.ts';
import { pureContracts, pureDeclarations } from '../bundle/pureContracts.ts';
import { ROOT } from '../bundle/root.ts';

const ZOD_AT_ONCE = path.join(ROOT, 'clients/cli/zodAtOnce.ts');
const LATE = 'late';

/** Most commands call none of their functions. commander names one for commands that are programs, which ours are not. */
const lateModules: Plugin = {
  name: 'late-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(child_process|fs\/promises)$/ }, ({ path: name }) => ({
      path: name,
      namespace: LATE,
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: LATE }, async ({ path: name }) => {
      const { default: _, ...members } = (await import(name)) as Record<string, unknown>;
      const functions = Object.keys(members).filter((member) => typeof members[member] === 'function');
      return {
        contents: [
          `const builtin = () => process.getBuiltinModule('${name}');`,
          ...functions.map(
            (member) => `export const ${member} = (...given) => builtin().${member}(...given);`,
          ),
          'export default { get spawn() { return builtin().spawn; } };',
        ].join('\n'),
      };
    });
  },
};

/** Before any schema is made, in whatever order chunks are loaded. */
const zodAtOnce: Plugin = {
  name: 'zod-at-once',
  setup({ onResolve }) {
    onResolve({ filter: /^zod$/ }, ({ importer }) =>
      importer === ZOD_AT_ONCE ? undefined : { path: ZOD_AT_ONCE },
    );
  },
};

const COMMANDS = 'commands';

/** The commands that one file defines are one chunk: each file more takes a start half a millisecond. */
const commandChunks: Plugin = {
  name: 'command-chunks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/commands\// }, ({ importer, kind }) =>
      kind === 'dynamic-import' ? { path: importer, namespace: COMMANDS } : undefined,
    );
    onLoad({ filter: /.*/, namespace: COMMANDS }, ({ path: definitions }) => ({
      contents: [...readFileSync(definitions, 'utf8').matchAll(/import\('(\.\.\/commands\/[^']+)'\)/g)]
        .map(([, file]) => `export * from '${file}';`)
        .join('\n'),
      resolveDir: path.dirname(definitions),
    }));
  },
};

const pureSchemas = pureDeclarations('pure-schemas', /\/clients\/files\/check\/fileSchemas\.ts$/);

export const lighter: readonly Plugin[] = [
  lateModules,
  nodeModules,
  pureContracts,
  pureSchemas,
  zodAtOnce,
  commandChunks,
];
