import { createHash } from 'node:crypto';
import type { Problems } from '../../files/read/problems.ts';
import type { OutputLines } from '../../importers/outputs/outputLines.ts';
import type { CaseOfSuite } from '../../importers/outputs/promptfoo.ts';

/** In the metadata of an output: what the program was given when it answered. 16 hexadecimal digits. */
export const INPUT_DIGEST = 'input_digest';

export const inputDigest = (input: unknown): string =>
  createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16);

/** An output answers the input of its time: where the case has another one now, it is no answer. */
export async function reportChangedInputs(
  { items, places }: OutputLines,
  problems: Problems,
  cases: () => Promise<readonly CaseOfSuite[]>,
): Promise<void> {
  const digests = items.map(({ metadata }) => metadata?.[INPUT_DIGEST]);
  if (digests.every((digest) => digest === undefined)) return;
  const now = new Map((await cases()).map(({ case: key, input }) => [key, inputDigest(input)]));
  for (const [index, item] of items.entries()) {
    const place = places[index];
    const [then, current] = [digests[index], now.get(item.case)];
    if (place === undefined || then === undefined || current === undefined || then === current) continue;
    const message = `answers another input than the case "${item.case}" has now: ask again (evalgate ask --resume)`;
    problems.error({ ...place, column: 1 }, message);
  }
}
