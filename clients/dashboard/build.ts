import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { ROOT } from '../../scripts/run.ts';

const SOURCES = path.join(ROOT, 'clients/dashboard');

export const DASHBOARD_OPTIONS = {
  absWorkingDir: SOURCES,
  entryPoints: ['main.tsx', 'styles/main.css'],
  outdir: path.join(SOURCES, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  // `light-dark()` is what asks for these.
  target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'error',
  write: false,
} satisfies BuildOptions & { write: false };

/**
 * What a browser loads: `index.html`, and under `assets/` scripts and the style sheet, whose names say what is in them,
 * so that they may be kept for ever.
 */
export async function buildDashboard(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build(DASHBOARD_OPTIONS);
  const nameOf = ({ path: file }: OutputFile): string => `assets/${path.basename(file)}`;
  const names = outputFiles.map(nameOf);
  const page = readFileSync(path.join(SOURCES, 'index.html'), 'utf8').replaceAll(
    /"main\.(js|css)"/g,
    (_, type) => `"/${names.find((name) => name.startsWith('assets/main-') && name.endsWith(type))}"`,
  );
  return new Map([
    ['index.html', new TextEncoder().encode(page)],
    ...outputFiles.map((file): [string, Uint8Array] => [nameOf(file), file.contents]),
  ]);
}
