import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { ROOT } from './bundle/root.ts';
import type { GeneratedFile } from './generated.ts';
import { licensesOf } from './npm/licenses.ts';

/** Its entry for Node is CommonJS, which requires modules of Node: in an ES module that fails. */
const YAML = path.join(ROOT, 'node_modules/yaml/browser/index.js');
/** What runs without an installation. The same sources give the same bytes. */
export const BUNDLE_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  alias: { yaml: YAML },
  legalComments: 'none',
  logLevel: 'error',
} as const satisfies BuildOptions;

async function bundled(entry: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    entryPoints: [entry],
    target: 'node24',
    metafile: true,
    write: false,
  });
  const licenses = licensesOf(Object.keys(metafile.inputs), 'It').replaceAll('*/', '* /');
  return `/*! ${licenses}*/\n${outputFiles[0]?.text ?? ''}`;
}

/** GitHub runs the action from the repository as it is: its bundle is committed, and a test compares it. */
export const bundledFiles = async (): Promise<GeneratedFile[]> => [
  { file: 'clients/action/dist/index.mjs', text: await bundled('clients/action/main.ts') },
  // Schemas and scorers, which runs of a gate do without.
  { file: 'clients/action/dist/suites.mjs', text: await bundled('clients/action/definitions/suites.ts') },
];
