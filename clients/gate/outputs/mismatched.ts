import type { EvalgateError, Outcome, OutputItem } from '../../sdk/index.ts';
import { nearestAmong } from './nearest.ts';

const NAMED_MAX = 20;

/** Each name that fits no case beside the key that is nearest to it; for others, the keys that there are. */
export function mismatchedSentences(names: readonly string[], keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const nearestOf = nearestAmong(keys);
  const shown = names.slice(0, NAMED_MAX).map((name) => ({ name, nearest: nearestOf(name) }));
  const near = shown.flatMap(({ name, nearest }) =>
    nearest === undefined ? [] : [`${name} is no case of the suite: is it ${nearest}?`],
  );
  const unlike = shown.filter(({ nearest }) => nearest === undefined).map(({ name }) => name);
  if (unlike.length === 0) return near;
  const more = keys.length > NAMED_MAX ? `, and ${keys.length - NAMED_MAX} more` : '';
  const known = `${keys.slice(0, NAMED_MAX).join(', ')}${more}`;
  return [...near, `no case of the suite: ${unlike.join(', ')}. Its cases: ${known}`];
}

/** The same of the cases that the service shows. None where it does not show them. */
export async function mismatchedHints(
  names: readonly string[],
  readCases: () => Promise<readonly { readonly case: string }[]>,
): Promise<string[]> {
  if (names.length === 0) return [];
  const cases = await readCases().catch(() => []);
  return mismatchedSentences(
    names,
    cases.map(({ case: key }) => key),
  );
}

/** The names of outputs that the run did not take. */
export const surplusNames = ({ surplus_outputs, surplus }: Outcome): readonly string[] =>
  surplus_outputs > 0 ? surplus : [];

/** Where the service refused all outputs, since none names a case: they are of another suite, or its keys are others. */
export const refusedNames = (
  { details }: EvalgateError,
  outputs: readonly OutputItem[] = [],
): readonly string[] =>
  JSON.stringify(details ?? '').includes('name no active case') ? namesOf(outputs) : [];

export const namesOf = (outputs: readonly OutputItem[]): string[] => [
  ...new Set(outputs.map((item) => item.case)),
];
