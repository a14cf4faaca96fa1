import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Bundle } from '../../infra/aws/bundle/bundle.ts';
import { madeOnce } from './madeOnce.ts';

type Listed = Omit<Bundle, 'eager' | 'lazy'> & Record<'eager' | 'lazy', [string, number][]>;

/** The bundles of all functions, built once in a test run. Their files must not be changed. */
export async function sharedBundles(): Promise<ReadonlyMap<string, Bundle>> {
  const folder = madeOnce('bundles', 'buildBundles.ts');
  const listed: Listed[] = JSON.parse(readFileSync(path.join(folder, 'bundles.json'), 'utf8'));
  return new Map(
    listed.map(({ eager, lazy, ...bundle }) => [
      bundle.functionId,
      {
        ...bundle,
        folder: path.join(folder, bundle.name),
        eager: new Map(eager),
        lazy: new Map(lazy),
      },
    ]),
  );
}
