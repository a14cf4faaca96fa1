import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleFunctions, FUNCTION_FILES } from '../infra/aws/bundle/bundle.ts';
import { OPERATOR, WORKERS } from '../infra/aws/functions.ts';
import type { Bench } from './result.ts';

const START_KB_MAX = 450;

const WORKER_IDS: readonly string[] = [...Object.values(WORKERS), OPERATOR];

const kilobytes = (files: ReadonlyMap<string, number>): number =>
  [...files.values()].reduce((sum, bytes) => sum + bytes, 0) / 1_000;

/** Measures what each function loads at its start, and later. The smallest size takes two that carry every replaced module. */
export const benchBundles: Bench = async (size) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-bundles-'));
  try {
    const files = [...FUNCTION_FILES].filter(
      ([id]) => size === 'full' || ['runs/create', 'billing/checkout'].includes(id),
    );
    const bundles = await bundleFunctions(folder, new Map(files));
    return [...bundles].flatMap(([id, { eager, lazy }]) => [
      {
        metric: `${id}: at its start`,
        value: kilobytes(eager),
        unit: 'kB',
        ...(!WORKER_IDS.includes(id) && { bound: { atMost: START_KB_MAX } }),
      },
      { metric: `${id}: later`, value: kilobytes(lazy), unit: 'kB' },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
