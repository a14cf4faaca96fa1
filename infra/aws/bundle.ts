import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { functionIds } from './functions.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

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
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/**
 * ES modules with splitting start fastest: what is imported lazily stays in chunks of its own, unread until then. The
 * AWS SDK is bundled, so that a deployment runs on the version it was tested with. No source maps: nothing reads them.
 */
const OPTIONS: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  splitting: true,
  minify: true,
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  banner: { js: REQUIRE },
  chunkNames: 'chunk-[hash]',
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
};

/**
 * One folder a function below `outDir`, which is emptied first. The same sources give the same bytes. All are built
 * at once, which is thirty times as fast as one by one; each folder gets only what its function can reach.
 */
export async function bundleFunctions(outDir: string): Promise<ReadonlyMap<string, Bundle>> {
  rmSync(outDir, { recursive: true, force: true });
  const built = mkdtempSync(path.join(tmpdir(), 'evalgate-bundles-'));
  try {
    const entryPoints = functionIds.map((id) => ({ in: `functions/${id}.ts`, out: bundleName(id) }));
    const { metafile } = await build({ ...OPTIONS, metafile: true, entryPoints, outdir: built });
    const outputs = byName(metafile);
    return new Map(
      functionIds.map((id) => [id, copied(id, built, path.join(outDir, bundleName(id)), outputs)]),
    );
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

export const bundleName = (functionId: string): string => functionId.replaceAll('/', '-');

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

const byName = ({ outputs }: Metafile): Outputs =>
  new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]));

function copied(functionId: string, from: string, folder: string, outputs: Outputs): Bundle {
  const name = bundleName(functionId);
  const entry = `${name}.mjs`;
  const eager = reachable(entry, outputs, (kind) => kind === 'import-statement');
  const all = reachable(entry, outputs, () => true);
  mkdirSync(folder, { recursive: true });
  for (const file of all) copyFileSync(path.join(from, file), path.join(folder, file));
  const bytesOf = (files: readonly string[]) =>
    new Map(files.map((file) => [file, outputs.get(file)?.bytes ?? 0] as const));
  const lazy = [...all].filter((file) => !eager.has(file));
  return { functionId, folder, name, eager: bytesOf([...eager]), lazy: bytesOf(lazy) };
}

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
