import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSoak } from '../soak.ts';

/**
 * Expressions that were measured before: how long one takes depends on nothing but Node. `npm run soak` measures all.
 * `EVALGATE_SOAK=1 EVALGATE_KEEP_MEASURED=1 npm test -- test/expressions` writes the file anew, where all pass.
 */
const FILE = path.join(import.meta.dirname, 'measured.json');

interface Measured {
  readonly node: string;
  readonly expressions: readonly string[];
}

const measured: Measured = JSON.parse(readFileSync(FILE, 'utf8'));
const known = new Set(measured.node === process.version ? measured.expressions : []);

/** `expression`: as it is written, with its flags. */
export const wasMeasured = (expression: string): boolean => !isSoak && known.has(expression);

export function keepMeasured(expressions: readonly string[]): void {
  if (process.env.EVALGATE_KEEP_MEASURED !== '1') return;
  const kept: Measured = { node: process.version, expressions: expressions.toSorted() };
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
}
