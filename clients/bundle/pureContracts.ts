import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

/** A declaration in esbuild's format: it begins a line, and its other lines are indented or close brackets. */
const DECLARED_BY_CALL = /^((?:export )?const \w+ = )((?:[\w.]+\(|\{)(?:.*\n[ )\]}])*.*);$/gm;

/**
 * Marks contracts and schemas as free of side effects, so that esbuild leaves out those that a function does not use:
 * else it starts with all contracts of the files that its own contract's file imports. This makes starts 5 to 8 %
 * shorter and 4 to 12 kB smaller.
 */
export const CONTRACT_FILES = /\/shared\/contracts\/(\w+\/)*\w+\.ts$/;
export const pureContracts: Plugin = pureDeclarations('pure-contracts', CONTRACT_FILES);

/** `mend` changes the code, as esbuild writes it, before. */
export function pureDeclarations(
  name: string,
  files: RegExp,
  mend: (code: string) => string = (code) => code,
): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter: files }, async ({ path: file }) => {
        const { code } = await transform(await readFile(file, 'utf8'), { loader: 'ts' });
        return { contents: mend(code).replaceAll(DECLARED_BY_CALL, '$1/* @__PURE__ */ (() => ($2))();') };
      });
    },
  };
}
