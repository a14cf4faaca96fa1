import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../scripts/run.ts';
import type { GeneratedFile } from './generated.ts';

/** Its entry for Node is CommonJS, which requires modules of Node: in an ES module that fails. */
const YAML = path.join(ROOT, 'node_modules/yaml/browser/index.js');
/** Copies of the package carry it. */
const yamlLicense = (): string => readFileSync(path.join(ROOT, 'node_modules/yaml/LICENSE'), 'utf8').trim();

/** What runs without an installation, as one file. The same sources give the same bytes. */
async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    alias: { yaml: YAML },
    banner: { js: `/*! It contains the package yaml:\n${yamlLicense()}\n*/` },
    legalComments: 'none',
    logLevel: 'error',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** GitHub runs the action from the repository as it is: its bundle is committed, and a test compares it. */
export const bundledFiles = async (): Promise<GeneratedFile[]> => [
  { file: 'clients/action/dist/index.mjs', text: await bundled('clients/action/main.ts') },
];
