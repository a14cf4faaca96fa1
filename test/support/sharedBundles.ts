import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bundle } from '../../infra/aws/bundle/bundle.ts';
import { NODE, REPOSITORY_DIR } from './service.ts';

/** Where one run of `npm test` keeps what its files share; a run of jest alone shares nothing. */
const RUN_FOLDER = process.env.EVALGATE_TEST_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'evalgate-bundles-'));
const BUNDLES = path.join(RUN_FOLDER, 'bundles');
const LIST = 'bundles.json';

type Listed = Omit<Bundle, 'eager' | 'lazy'> & Record<'eager' | 'lazy', [string, number][]>;

/** Every function as it would be deployed, built once in a run of the tests. Nobody may change or remove the files. */
export async function sharedBundles(): Promise<ReadonlyMap<string, Bundle>> {
  if (!existsSync(BUNDLES)) build();
  const listed: Listed[] = JSON.parse(readFileSync(path.join(BUNDLES, LIST), 'utf8'));
  return new Map(
    listed.map(({ eager, lazy, ...bundle }) => [
      bundle.functionId,
      {
        ...bundle,
        folder: path.join(BUNDLES, bundle.name),
        eager: new Map(eager),
        lazy: new Map(lazy),
      },
    ]),
  );
}

/** They appear all at once; where two processes build at a time, the first one's stay. */
function build(): void {
  const own = mkdtempSync(path.join(RUN_FOLDER, 'building-'));
  // As `cdk` starts its app: Node's flags change what its modules export, and with it the bytes of the bundles.
  const builder = path.join(import.meta.dirname, 'buildBundles.ts');
  execFileSync(NODE, ['scripts/with-node.mjs', builder, own, path.join(own, LIST)], { cwd: REPOSITORY_DIR });
  try {
    renameSync(own, BUNDLES);
  } catch (error) {
    if (!existsSync(BUNDLES)) throw error;
  }
}
