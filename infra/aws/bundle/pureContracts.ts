import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

/** As esbuild writes it: what is declared begins its line, and what belongs to it is indented or closes brackets. */
const DECLARED_BY_CALL = /^((?:export )?const \w+ = )((?:[\w.]+\(|\{)(?:.*\n[ )\]}])*.*);$/gm;

/**
 * A function reads its own contract, and with it the file of all contracts about the same thing, and those of the
 * things they name. Contracts do nothing when they are made: said so, those that a function doesn't use are left out of
 * its bundle. Making the schemas of one such file takes a twentieth of a function's start.
 */
export const pureContracts: Plugin = {
  name: 'pure-contracts',
  setup({ onLoad }) {
    onLoad({ filter: /\/shared\/contracts\/(base\/)?\w+\.ts$/ }, async ({ path: file }) => {
      const { code } = await transform(await readFile(file, 'utf8'), { loader: 'ts' });
      return { contents: code.replaceAll(DECLARED_BY_CALL, '$1/* @__PURE__ */ (() => ($2))();') };
    });
  },
};
