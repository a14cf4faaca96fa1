import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../infra/aws/bundle/bundle.ts';
import { functionIds } from '../../infra/aws/functions.ts';

/** Bundles the service, as `npm start` runs it, into the folder that is named: it starts in half of the time. */
const ROOT = path.resolve(import.meta.dirname, '../..');
const FUNCTIONS = path.join(ROOT, 'infra/local/http/functions.ts');
const LOADED = 'import(pathToFileURL(file).href)';

/** The parts of the bundle know where their sources are, and it has all functions. */
const asSources: Plugin = {
  name: 'as-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href));
      return { contents: file === FUNCTIONS ? withFunctions(text) : text, loader: 'ts' };
    });
  },
};

function withFunctions(text: string): string {
  if (!text.includes(LOADED)) throw new Error(`Functions are loaded otherwise: mend ${import.meta.filename}`);
  const loads = functionIds.map((id) => `${JSON.stringify(id)}: () => import('../../../functions/${id}.ts')`);
  return `const BUNDLED = { ${loads} };\n${text.replace(LOADED, 'BUNDLED[id]()')}`;
}

await build({
  ...BUNDLE_OPTIONS,
  banner: { js: 'const require=process.getBuiltinModule;' },
  entryPoints: [path.join(ROOT, 'infra/local/main.ts')],
  outdir: process.argv[2] ?? '.',
  plugins: [asSources],
});
