import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bundle } from '../../infra/aws/bundle/bundle.ts';
import { NODE, REPOSITORY_DIR } from './service.ts';

/** The shared folder of one run of `npm test`; a run of jest alone shares nothing. */
const RUN_FOLDER = process.env.EVALGATE_TEST_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'evalgate-bundles-'));
const BUNDLES = path.join(RUN_FOLDER, 'bundles');
const LIST = 'bundles.json';

type Listed = Omit<Bundle, 'eager' | 'lazy'> & Record<'eager' | 'lazy', [string, number][]>;

/** The bundles of all functions, built once in a test run. Their files must not be changed. */
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

/** The bundles appear atomically; of two concurrent builds the first one's are kept. */
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
