import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Bundle, bundleFunctions } from '../../infra/aws/bundle/bundle.ts';

/** The shared folder of one run of `npm test`; a run of jest alone shares nothing. */
const RUN_FOLDER = process.env.EVALGATE_TEST_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'evalgate-bundles-'));
const BUNDLES = path.join(RUN_FOLDER, 'bundles');
const LIST = 'bundles.json';

type Listed = Omit<Bundle, 'eager' | 'lazy'> & Record<'eager' | 'lazy', [string, number][]>;

/** The bundles of all functions, built once in a test run. Their files must not be changed. */
export async function sharedBundles(): Promise<ReadonlyMap<string, Bundle>> {
  if (!existsSync(BUNDLES)) await build();
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
async function build(): Promise<void> {
  const own = mkdtempSync(path.join(RUN_FOLDER, 'building-'));
  const bundles = await bundleFunctions(own);
  const listed = [...bundles.values()].map(({ eager, lazy, ...bundle }) => ({
    ...bundle,
    eager: [...eager],
    lazy: [...lazy],
  }));
  writeFileSync(path.join(own, LIST), JSON.stringify(listed));
  try {
    renameSync(own, BUNDLES);
  } catch (error) {
    if (!existsSync(BUNDLES)) throw error;
  }
}
