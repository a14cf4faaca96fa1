import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { lookalike } from '../compare/lookalike.ts';
import { dualSidedOutcome, nothingRight, precisionRecallOf } from '../compare/precisionRecall.ts';
import { isIn } from '../compare/search.ts';
import { ValueSearch } from '../compare/valueSearch.ts';
import { once } from '../kit/config.ts';
import { scorerOutput } from '../kit/debugOutput.ts';
import type {
  CompiledScorer,
  ConfigIssue,
  DeterministicScorer,
  Guard,
  Outcome,
  ScorerError,
} from '../kit/definition.ts';
import { configInvalid } from '../kit/errors.ts';
import { CASE_WORDS, normalizeField, normalizing, readingField } from '../kit/reading/fields.ts';
import { isInvisible, normalized } from '../kit/reading/normalize.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { itemsOf } from '../kit/reading/tokens.ts';
import { itemsNotReached, textsOf } from '../kit/reading/words.ts';
import { type Match, shownMatches } from '../kit/shownOutputs.ts';
import { foldCase, quoteSome, toReason } from '../kit/text.ts';

const configSchema = once(() =>
  described(
    z.strictObject({
      values: described(z.array(z.string().min(1)).min(1).max(1000), { label: 'Texts, one a line' }),
      mode: described(z.enum(['all', 'any', 'none']).default('all'), {
        label: 'It has to contain',
        options: { all: 'all of them', any: 'one of them', none: 'none of them' },
      }),
      case_sensitive: described(z.boolean().optional(), CASE_WORDS),
      ...normalizeField(),
      ...readingField(),
    }),
    { label: 'Contains', hint: 'The output contains texts, or contains none of them.' },
  ),
);
export type Config = z.infer<ReturnType<typeof configSchema>>;

const TIMEOUT: ScorerError = {
  code: 'CONTAINS_TIMEOUT',
  fault: 'candidate',
  reason: 'the values were not searched in time: use fewer or shorter values',
};
const GUARD: Guard = { timeout: TIMEOUT, limitMs: 250 };
const NONE_HAS_NO_SIDES = 'mode `none` cannot be scored dual-sided, since there is nothing to find';

export const contains: DeterministicScorer<Config> = {
  type: 'contains',
  configSchema,
  errors: [TIMEOUT],
  check(config, options): ConfigIssue[] {
    if (options.dualSided && config.mode === 'none')
      return [{ path: 'config.mode', message: NONE_HAS_NO_SIDES }];
    return config.normalize ? config.values.flatMap(vanished) : [];
  },
  compile(config, options): CompiledScorer {
    let search: Search | undefined;
    // The items of a dual-sided scorer may be lines.
    const form = options.dualSided ? 'lines' : 'line';
    const unitCount = config.values.reduce((sum, value) => sum + value.length, 0);
    return {
      guard: config.normalize ? normalizing(GUARD) : GUARD,
      usesExpected: false,
      score(sent): Outcome {
        search ??= searchOf(config);
        const subject = config.normalize ? sent.normalized(form) : sent;
        if (!options.dualSided) return scorePlain(search, subject);
        return config.mode === 'none' ? configInvalid(NONE_HAS_NO_SIDES) : scoreDualSided(search, subject);
      },
      // At worst, each unit of a value is compared at each place of the output.
      ...(!options.dualSided && !config.normalize && { stepsMax: ({ text }) => text.length * unitCount }),
      reset() {},
    };
  },
};

const vanished = (value: string, index: number): ConfigIssue[] =>
  isInvisible(value)
    ? [{ path: `config.values.${index}`, message: 'holds only characters that `normalize` leaves out' }]
    : [];

interface Search {
  readonly config: Config;
  /** As they are searched for: in lower case where case does not count, normalized where the output is. */
  readonly values: readonly string[];
  readonly isFolded: boolean;
}

function searchOf(config: Config): Search {
  const isFolded = config.case_sensitive === false;
  const written = config.normalize ? config.values.map((value) => normalized(value, 'line')) : config.values;
  const values = isFolded ? written.map((value) => foldCase(value)) : written;
  return { config, values, isFolded };
}

function scorePlain({ config, values, isFolded }: Search, subject: Subject): Outcome {
  const text = isFolded ? foldCase(subject.text, subject.lowerCase) : subject.text;
  const matches = matchesOf(config, areIn(text, values));
  const foundCount = countFound(matches);
  const isMet = isSatisfied(config.mode, foundCount, matches.length);
  const hint = isMet || config.mode === 'none' || config.normalize ? '' : lookalike(subject, matches);
  return {
    score: isMet ? 1 : 0,
    reason: toReason(inWords(config.mode, matches, foundCount) + hint),
    output: debugOutput(config, matches, foundCount),
    errored: false,
  };
}

/**
 * V8 searches a text for one value many times faster than for all in one pass, but at worst for each as slowly: more
 * values than these take one pass, unless the text is short beside them.
 */
const SINGLE_SEARCHES = 16;

function areIn(text: string, values: readonly string[]): boolean[] {
  const unitCount = values.reduce((sum, value) => sum + value.length, text.length);
  if (values.length * text.length > SINGLE_SEARCHES * unitCount) return new ValueSearch(values).findIn(text);
  return values.map((value) => isIn(text, value));
}

function matchesOf({ values }: Config, foundByValue: readonly boolean[]): Match[] {
  return values.map((value, index) => ({ value, found: foundByValue[index] === true }));
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

function listed(matches: readonly Match[], isFound: boolean): string {
  return quoteSome(
    matches.filter((match) => match.found === isFound).map((match) => match.value),
    100,
  );
}

function countFound(matches: readonly Match[]): number {
  let count = 0;
  for (const match of matches) if (match.found) count++;
  return count;
}

function debugOutput(config: Config, matches: Match[], foundCount: number) {
  const shown = shownMatches(matches);
  const fields = { mode: config.mode, matches: shown.value, found_count: foundCount, total: matches.length };
  return scorerOutput(fields, shown);
}

/** An item matches if it holds a value or is part of one: a value of two words covers two items. */
function scoreDualSided({ config, values, isFolded }: Search, subject: Subject): Outcome {
  const { parsed } = subject;
  if (!parsed.ok && parsed.isJson) {
    const missing = matchesOf(config, []);
    return dualSidedOutcome(nothingRight(missing.length), debugOutput(config, missing, 0), parsed.reason);
  }
  const { text, ranges } = itemsOf(subject.text, parsed.ok ? parsed.value : undefined);
  /** By where a value begins: how far the longest that begins there reaches. */
  const reach = new Int32Array(text.length);
  const foundByValue = new ValueSearch(values).findIn(isFolded ? foldCase(text) : text, (end, length) => {
    reach[end - length] = end;
  });
  const matches = matchesOf(config, foundByValue);
  const foundCount = countFound(matches);
  const wrong = itemsNotReached(ranges, reach);
  const given = ranges.length / 2;
  const precisionRecall = precisionRecallOf({
    rightGiven: given - wrong.length / 2,
    given,
    found: foundCount,
    expected: matches.length,
  });
  const extra = textsOf(text, wrong.slice(0, 6));
  const parts: string[] = [];
  if (foundCount < matches.length) parts.push(`missing ${listed(matches, false)}`);
  if (extra.length > 0) parts.push(`not expected ${quoteSome(extra)}`);
  return dualSidedOutcome(
    precisionRecall,
    debugOutput(config, matches, foundCount),
    toReason(parts.join('; ')),
  );
}
