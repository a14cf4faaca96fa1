import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { functionIds } from '../functions.ts';
import { nodeModules, replacements } from './bundlePlugins.ts';
import { pureContracts } from './pureContracts.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export interface Bundle {
  readonly functionId: string;
  /** Holds `<name>.mjs`, which exports `handler`, and the chunks that it loads, at once or later. */
  readonly folder: string;
  /** `projects-create` for `projects/create`. */
  readonly name: string;
  /** Bytes of the folder's files by name: those that the start of the function reads, and those that may follow. */
  readonly eager: ReadonlyMap<string, number>;
  readonly lazy: ReadonlyMap<string, number>;
}

/** CommonJS packages ask for Node's own modules by `require`, which an ES module has not. */
const REQUIRE = 'const require=process.getBuiltinModule;';

/**
 * ES modules with splitting start fastest: what is imported lazily stays in chunks of its own, unread until then. The
 * AWS SDK is bundled, so that a deployment runs on the version it was tested with. No source maps: nothing reads them.
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

/** By the function's id. */
export const FUNCTION_FILES: ReadonlyMap<string, string> = new Map(
  functionIds.map((id) => [id, `functions/${id}.ts`]),
);

/**
 * One folder a function below `outDir`, which is emptied first. The same sources give the same bytes. All functions
 * are built at once, which reads the packages once, and then each by itself: where functions share chunks, each has
 * three times the files to open and a tenth more to read.
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
      plugins: [replacements, pureContracts],
      entryPoints: [...files].map(([id, file]) => ({ in: file, out: bundleName(id) })),
      outdir: shared,
    });
    const bundles = [...files.keys()].map(async (id) => [id, await bundleOne(id, shared, outDir)] as const);
    return new Map(await Promise.all(bundles));
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
  const found = new Set([entry]);
  // A set that grows while it is walked is walked to its new end.
  for (const file of found) {
    for (const { path: to, kind, external } of outputs.get(file)?.imports ?? []) {
      if (external !== true && follows(kind)) found.add(path.basename(to));
    }
  }
  return found;
}
