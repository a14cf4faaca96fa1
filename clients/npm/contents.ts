import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { ROOT } from '../bundle/root.ts';
import { BUNDLE_OPTIONS } from '../bundles.ts';
import { licensesOf } from './licenses.ts';
import { lighter } from './lighter.ts';

/** The oldest Node that the package names. */
const TARGET = 'node22.12';
const TYPES = 'dist/types';

/** Writes into the folder whatever of the package is made: the SDK, its types, the command line, schemas, licences. */
export async function writeContents(folder: string): Promise<void> {
  const inFolder = (name: string): string => path.join(folder, name);
  rmSync(inFolder('dist'), { recursive: true, force: true });
  writeTypes(inFolder(TYPES));
  await bundle(inFolder('dist/sdk'), {
    // Users read it when they debug.
    minify: false,
    platform: 'neutral',
    entryPoints: ['clients/sdk/index.ts', 'clients/sdk/githubOidc.ts'],
  });
  const packages = await bundleCommandLine(inFolder('dist/cli'));
  writeFileSync(inFolder('THIRD_PARTY_LICENSES.txt'), licensesOf(packages));
  cpSync(path.join(ROOT, 'clients/pages/schema'), inFolder('schema'), { recursive: true });
  cpSync(path.join(ROOT, 'LICENSE'), inFolder('LICENSE'));
}

/** The command line as `evalgate.js`. Gives the files that went in. */
export const bundleCommandLine = (folder: string): Promise<readonly string[]> =>
  bundle(folder, { entryPoints: [{ in: 'clients/cli/main.ts', out: 'evalgate' }], plugins: [...lighter] });

/** What a command does not need stays in chunks that it does not load. Gives the files that went in. */
async function bundle(outdir: string, options: BuildOptions): Promise<readonly string[]> {
  const { metafile } = await build({
    ...BUNDLE_OPTIONS,
    target: TARGET,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    outdir,
    metafile: true,
    ...options,
  });
  return Object.keys(metafile?.inputs ?? {});
}

function writeTypes(folder: string): void {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  // What is known of an earlier check would have it write nothing.
  const flags = [
    '--noEmit',
    'false',
    '--incremental',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    folder,
  ];
  execFileSync(process.execPath, [tsc, '-p', 'clients/sdk', ...flags], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = path.join(folder, name);
    // There is no source beside them.
    const text = readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'");
    writeFileSync(file, text);
  }
}

/** The whole package in a folder of its own, for as long as it is used. */
export async function withPackage<Used>(use: (folder: string) => Used): Promise<Used> {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-package-'));
  try {
    const inner = path.join(folder, 'evalgate');
    mkdirSync(inner);
    for (const name of ['package.json', 'README.md'])
      cpSync(path.join(ROOT, 'clients/npm', name), path.join(inner, name));
    await writeContents(inner);
    return use(inner);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
