import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import { nodeModules } from '../../../clients/bundle/nodeModules.ts';
import { CONTRACT_FILES, pureDeclarations } from '../../../clients/bundle/pureContracts.ts';
import { functionIds } from '../functions.ts';
import { replacements } from './bundlePlugins.ts';
import { withoutWords } from './withoutWords.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export interface Bundle {
  readonly functionId: string;
  /** Contains `<name>.mjs`, which exports `handler`, and the chunks that it imports statically or lazily. */
  readonly folder: string;
  /** `projects-create` for `projects/create`. */
  readonly name: string;
  /** Bytes by file name: files that the function's start reads, and files that it imports lazily. */
  readonly eager: ReadonlyMap<string, number>;
  readonly lazy: ReadonlyMap<string, number>;
}

/** CommonJS packages require Node's modules; an ES module has no `require`. */
const REQUIRE = 'const require=process.getBuiltinModule;';

/**
 * ES modules with splitting start fastest: lazy imports stay in chunks that the start does not read. The AWS SDK is
 * bundled, so that a deployment runs on the tested version. No source maps: nothing reads them.
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  splitting: true,
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunk-[hash]',
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
} as const satisfies BuildOptions;

/** The configs of scorers. */
const wordless: Plugin = {
  name: 'scorers-of-functions',
  setup({ onLoad }) {
    onLoad({ filter: /\/shared\/scoring\/(\w+\/)*\w+\.ts$/ }, async ({ path: file }) => {
      const { code } = await transform(await readFile(file, 'utf8'), { loader: 'ts' });
      return { contents: withoutWords(code) };
    });
  },
};

/** By the function's id. */
export const FUNCTION_FILES: ReadonlyMap<string, string> = new Map(
  functionIds.map((id) => [id, `functions/${id}.ts`]),
);

/**
 * Writes one folder for each function below `outDir`, which it empties first. The same sources give the same bytes. The
 * first build takes all functions, to read the packages once; the second takes each alone, because functions that share
 * chunks open three times the files and read a tenth more.
 */
export async function bundleFunctions(
  outDir: string,
  files: ReadonlyMap<string, string> = FUNCTION_FILES,
): Promise<ReadonlyMap<string, Bundle>> {
  rmSync(outDir, { recursive: true, force: true });
  const shared = mkdtempSync(path.join(tmpdir(), 'evalgate-bundles-'));
  try {
    await build({
      ...BUNDLE_OPTIONS,
      absWorkingDir: ROOT,
      minifyIdentifiers: true,
      plugins: [
        replacements,
        pureDeclarations('contracts-of-functions', CONTRACT_FILES, withoutWords),
        wordless,
      ],
      entryPoints: [...files].map(([id, file]) => ({ in: file, out: bundleName(id) })),
      outdir: shared,
    });
    const bundles = new Map<string, Bundle>();
    // One after another: esbuild uses all processors for each, and all at once take a sixth more of their time.
    for (const id of files.keys()) bundles.set(id, await bundleOne(id, shared, outDir));
    return bundles;
  } finally {
    rmSync(shared, { recursive: true, force: true });
  }
}

export const bundleName = (functionId: string): string => functionId.replaceAll('/', '-');

async function bundleOne(functionId: string, shared: string, outDir: string): Promise<Bundle> {
  const name = bundleName(functionId);
  const folder = path.join(outDir, name);
  const { metafile, outputFiles } = await build({
    ...BUNDLE_OPTIONS,
    absWorkingDir: shared,
    minify: true,
    banner: { js: REQUIRE },
    plugins: [nodeModules],
    entryPoints: [`${name}.mjs`],
    outdir: folder,
    write: false,
  });
  const outputs = byName(metafile);
  const eager = reachable(`${name}.mjs`, outputs, (kind) => kind === 'import-statement');
  const all = reachable(`${name}.mjs`, outputs, () => true);
  mkdirSync(folder, { recursive: true });
  for (const { path: file, contents } of outputFiles) {
    if (all.has(path.basename(file))) writeFileSync(file, contents);
  }
  const bytesOf = (files: Iterable<string>) =>
    new Map([...files].map((file) => [file, outputs.get(file)?.bytes ?? 0] as const));
  return {
    functionId,
    folder,
    name,
    eager: bytesOf(eager),
    lazy: bytesOf([...all].filter((file) => !eager.has(file))),
  };
}

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

const byName = ({ outputs }: Metafile): Outputs =>
  new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]));

function reachable(entry: string, outputs: Outputs, follows: (kind: string) => boolean): ReadonlySet<string> {
  const reached = new Set([entry]);
  // Iterating a set visits the elements added meanwhile.
  for (const file of reached) {
    for (const { path: to, kind, external } of outputs.get(file)?.imports ?? []) {
      if (external !== true && follows(kind)) reached.add(path.basename(to));
    }
  }
  return reached;
}
