import * as z from 'zod';
import { scorerOutput, show } from './debugOutput.ts';
import { configInvalid } from './errors.ts';
import { indexOf } from './search.ts';
import { dualSidedOutcome, sidesOf } from './sides.ts';
import type { Subject } from './subject.ts';
import { asReason, quoteSome } from './text.ts';
import { itemsOf } from './tokens.ts';
import type { CompiledScorer, Guard, Issue, Outcome, ScorerDefinition } from './types.ts';

const configSchema = z.object({
  values: z.array(z.string().min(1)).min(1).max(1000),
  mode: z.enum(['all', 'any', 'none']).default('all'),
});
type Config = z.infer<typeof configSchema>;
type Match = { value: string; found: boolean };

const GUARD: Guard = { timeoutCode: 'CONTAINS_TIMEOUT', limitMs: 250 };
const NONE_HAS_NO_SIDES = 'mode `none` cannot be scored dual-sided, since there is nothing to find';

export const contains: ScorerDefinition<Config> = {
  type: 'contains',
  configSchema,
  repeats: ['mode', 'matches.value', 'total'],
  check(config, options): Issue[] {
    if (!options.dualSided || config.mode !== 'none') return [];
    return [{ path: 'config.mode', message: NONE_HAS_NO_SIDES }];
  },
  compile(config, options): CompiledScorer {
    return {
      guard: GUARD,
      usesExpected: false,
      score(subject): Outcome {
        if (!options.dualSided) return scorePlain(config, subject.text);
        return config.mode === 'none' ? configInvalid(NONE_HAS_NO_SIDES) : scoreDualSided(config, subject);
      },
      reset() {},
    };
  },
};

function scorePlain(config: Config, text: string): Outcome {
  const matches: Match[] = [];
  for (const value of config.values) matches.push({ value, found: indexOf(text, value) !== -1 });
  const foundCount = countFound(matches);
  return {
    score: isSatisfied(config.mode, foundCount, matches.length) ? 1 : 0,
    reason: asReason(inWords(config.mode, matches, foundCount)),
    output: debugOutput(config, matches, foundCount),
    errored: false,
  };
}

function isSatisfied(mode: Config['mode'], foundCount: number, total: number): boolean {
  if (mode === 'all') return foundCount === total;
  return mode === 'any' ? foundCount > 0 : foundCount === 0;
}

function inWords(mode: Config['mode'], matches: readonly Match[], foundCount: number): string {
  const total = `${matches.length} ${matches.length === 1 ? 'value' : 'values'}`;
  if (foundCount === 0)
    return mode === 'none' ? `none of ${total} found` : `missing all of ${total}: ${listed(matches, false)}`;
  if (mode === 'none') return `found ${foundCount} of ${total} that must not occur: ${listed(matches, true)}`;
  if (foundCount === matches.length) return `found all of ${total}`;
  if (mode === 'any') return `found ${foundCount} of ${total}`;
  return `missing ${matches.length - foundCount} of ${total}: ${listed(matches, false)}`;
}

function listed(matches: readonly Match[], found: boolean): string {
  return quoteSome(
    matches.filter((match) => match.found === found).map((match) => match.value),
    100,
  );
}

function countFound(matches: readonly Match[]): number {
  let count = 0;
  for (const match of matches) if (match.found) count++;
  return count;
}

function debugOutput(config: Config, matches: Match[], foundCount: number) {
  const shown = show(matches);
  const fields = { mode: config.mode, matches: shown.value, found_count: foundCount, total: matches.length };
  return scorerOutput(fields, shown);
}

/**
 * Recall: which values the output holds. Precision: which of the output's items match a value, that is hold
 * one or are part of one, since a value of two words covers two items of a sentence.
 */
function scoreDualSided(config: Config, subject: Subject): Outcome {
  const { text, ranges } = itemsOf(subject.text, subject.parsed.ok ? subject.parsed.value : undefined);
  const right = new Uint8Array(ranges.length);
  const matches = config.values.map((value) => ({ value, found: markItems(text, value, ranges, right) }));
  const foundCount = countFound(matches);
  const rightGiven = right.reduce((sum, flag) => sum + flag, 0);
  const sides = sidesOf({ rightGiven, given: ranges.length, found: foundCount, expected: matches.length });
  const extra: string[] = [];
  for (const [at, [start, end]] of ranges.entries()) {
    if (right[at] === 0 && extra.length < 3) extra.push(text.slice(start, end));
  }
  const parts: string[] = [];
  if (foundCount < matches.length) parts.push(`missing ${listed(matches, false)}`);
  if (extra.length > 0) parts.push(`not expected ${quoteSome(extra)}`);
  return dualSidedOutcome(sides, debugOutput(config, matches, foundCount), asReason(parts.join('; ')));
}

function markItems(
  text: string,
  value: string,
  ranges: readonly (readonly [number, number])[],
  right: Uint8Array,
): boolean {
  let at = indexOf(text, value);
  const found = at !== -1;
  let item = 0;
  while (at !== -1) {
    const end = at + value.length;
    while (item < ranges.length && (ranges[item]?.[1] ?? 0) <= at) item++;
    for (let next = item; next < ranges.length && (ranges[next]?.[0] ?? 0) < end; next++) right[next] = 1;
    at = indexOf(text, value, end);
  }
  return found;
}
