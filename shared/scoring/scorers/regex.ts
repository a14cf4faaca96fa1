import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { Bag, dualSidedOutcome, precisionRecallOf } from '../compare/precisionRecall.ts';
import type { CheckTime } from '../kit/checkTime.ts';
import { once } from '../kit/config.ts';
import type { ScorerOutput } from '../kit/debugOutput.ts';
import { scorerOutput, showList } from '../kit/debugOutput.ts';
import type {
  CompiledScorer,
  ConfigIssue,
  DeterministicScorer,
  Guard,
  Outcome,
  ScorerError,
} from '../kit/definition.ts';
import { configInvalid, EXPECTED_MISSING, erroredOutcome } from '../kit/errors.ts';
import { isRangeError, messageOf } from '../kit/guard.ts';
import { PATTERN_LENGTH_MAX } from '../kit/limits.ts';
import { normalizeField, normalizing, readingField } from '../kit/reading/fields.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { clip, cut, quote, toReason } from '../kit/text.ts';
import { EMPTY_PATTERN, expressionOf, flagsSchema, repeatedExpressionOf } from '../patterns/pattern.ts';
import { patternSteps } from '../patterns/steps.ts';
import { inWords } from './exactMatch.ts';

const configSchema = once(() =>
  described(
    z.strictObject({
      pattern: described(z.string().min(1, EMPTY_PATTERN).max(PATTERN_LENGTH_MAX), {
        label: 'Pattern',
        hint: 'A regular expression of JavaScript, without slashes.',
      }),
      flags: described(flagsSchema().default(''), { label: 'Flags', hint: 'Of dgimsuy.' }),
      should_match: described(z.boolean().default(true), {
        label: 'It has to be found; else it must not be',
      }),
      ...normalizeField(),
      ...readingField(),
    }),
    { label: 'Pattern', hint: 'A regular expression is found in the output, or is not.' },
  ),
);
type Config = z.infer<ReturnType<typeof configSchema>>;

const TIMEOUT: ScorerError = {
  code: 'REGEX_TIMEOUT',
  fault: 'candidate',
  reason:
    'the pattern did not finish on this output in time: rewrite it without nested or overlapping repetition',
};
const GUARD: Guard = { timeout: TIMEOUT, limitMs: 100 };
const EXPECTED_LIST_MISSING: ScorerError = {
  ...EXPECTED_MISSING,
  reason: 'a dual-sided regex compares its matches with `expected`: set it to a list of strings',
};
const ABSENCE_HAS_NO_SIDES =
  '`should_match: false` cannot be scored dual-sided, since there is nothing to find';

/** Only a pattern that is written is checked: a run need not read this. */
let checks: typeof import('../patterns/check.ts') | undefined;

export const regex: DeterministicScorer<Config> = {
  type: 'regex',
  configSchema,
  errors: [TIMEOUT],
  readsExpected: true,
  async loadCheck() {
    checks ??= await import('../patterns/check.ts');
  },
  check(config, options): ConfigIssue[] {
    if (options.dualSided && !config.should_match)
      return [{ path: 'config.should_match', message: ABSENCE_HAS_NO_SIDES }];
    const message = refusalOf(config, options.time);
    return message === null ? [] : [{ path: 'config.pattern', message }];
  },
  compile(config, options): CompiledScorer {
    let pattern: RegExp | undefined;
    const makePattern = options.dualSided ? repeatedExpressionOf : expressionOf;
    return {
      guard: config.normalize ? normalizing(GUARD) : GUARD,
      usesExpected: options.dualSided,
      score(sent, sentExpected): Outcome {
        const [subject, expected] = config.normalize
          ? [sent.normalized('lines'), sentExpected.normalized('lines')]
          : [sent, sentExpected];
        try {
          pattern ??= makePattern(config.pattern, config.flags);
          return options.dualSided
            ? scoreDualSided(config, pattern, subject, expected.value)
            : scorePlain(config, pattern, subject.text);
        } catch (error) {
          return isRangeError(error) ? erroredOutcome(TIMEOUT) : configInvalid(messageOf(error));
        }
      },
      ...(!options.dualSided &&
        !config.normalize && {
          stepsMax: ({ text }) => patternSteps(config.pattern, config.flags, text.length),
        }),
      reset() {
        pattern = undefined;
      },
    };
  },
};

function refusalOf({ pattern, flags, normalize }: Config, time: CheckTime): string | null {
  if (checks === undefined) throw new Error('Patterns cannot be checked yet: await loadCheck first');
  const { neverNormalized, whyUnusable } = checks;
  let message: string | null = null;
  const finished = time.lastsFor(GUARD.limitMs, () => {
    message = whyUnusable(pattern, flags) ?? (normalize ? neverNormalized(pattern) : null);
  });
  return finished ? message : 'the pattern takes too long to compile';
}

function scorePlain(config: Config, pattern: RegExp, text: string): Outcome {
  pattern.lastIndex = 0;
  const match = pattern.exec(text);
  const matched = match !== null;
  const shown = clip(`/${config.pattern}/${config.flags}`, 200);
  const where = match === null ? '' : ` at character ${match.index + 1}: ${quote(match[0], 80)}`;
  const verb = `${config.normalize ? 'normalized ' : ''}output ${matched ? 'matches' : 'does not match'}`;
  const not = matched && !config.should_match ? ', and it must not' : '';
  return {
    score: matched === config.should_match ? 1 : 0,
    reason: toReason(`${verb} ${shown}${where}${not}`),
    output: debugOutput(config, match),
    errored: false,
  };
}

function debugOutput({ pattern, flags, should_match }: Config, match: RegExpExecArray | null): ScorerOutput {
  const groups = showList(match === null ? [] : groupsOf(match), (text, length) => text && cut(text, length));
  const matched = match !== null;
  return scorerOutput({ pattern, flags, should_match, matched, match_groups: groups.value }, groups);
}

/** A match may split a surrogate pair in two; the halves are replaced. */
function groupsOf(match: RegExpExecArray): (string | null)[] {
  const groups: (string | null)[] = [];
  for (let index = 1; index < match.length; index++) groups.push(match[index]?.toWellFormed() ?? null);
  return groups;
}

/** Every match is looked up as it is found: an output of 1 MB may hold a million. */
function scoreDualSided(config: Config, pattern: RegExp, subject: Subject, expected: unknown): Outcome {
  if (!config.should_match) return configInvalid(ABSENCE_HAS_NO_SIDES);
  if (!isTextList(expected)) {
    return erroredOutcome(EXPECTED_LIST_MISSING);
  }
  const missing = new Bag(expected);
  const extra: string[] = [];
  let first: RegExpExecArray | null = null;
  let given = 0;
  let foundCount = 0;
  for (const match of subject.text.matchAll(pattern)) {
    if (match[0] === '') continue;
    first ??= match;
    given++;
    if (missing.take(match[0])) foundCount++;
    else if (extra.length < 3) extra.push(match[0]);
  }
  const precisionRecall = precisionRecallOf({
    rightGiven: foundCount,
    given,
    found: foundCount,
    expected: expected.length,
  });
  return dualSidedOutcome(
    precisionRecall,
    debugOutput(config, first),
    toReason(inWords([...missing.rest()], extra)),
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
