import { canonicalText } from '../digest/documents.ts';
import { type ValuesAt, valuesAt } from '../jsonPath/values.ts';
import type { ScorerError } from '../kit/definition.ts';
import type { Expected } from '../kit/reading/expected.ts';
import type { Other, Pattern, Rule } from './config.ts';
import { type KeyPath, Keys } from './keys.ts';
import { type Certainty, type Matcher, matcherOf } from './matcher.ts';
import { listOf, othersOf, readsResult, sidesOf } from './parts.ts';

/** The other calls of a rule. */
export interface OtherPlan {
  readonly config: Other;
  readonly matcher: Matcher;
  /** Null: it has no `same`. */
  readonly same: { readonly when: Keys; readonly other: Keys } | null;
  readonly readsResult: boolean;
}

export interface RulePlan {
  readonly rule: Rule;
  readonly when: readonly Matcher[];
  readonly otherPlans: readonly OtherPlan[];
  /** Of `per`, where it is a list of paths. */
  readonly groups: Keys | null;
  /** Of `sum`. */
  readonly amounts: ValuesAt | null;
}

/** An error where an assertion compares with what the case lacks. */
export function rulePlansOf(rules: readonly Rule[], expected: Expected): RulePlan[] | ScorerError {
  const parts = new Parts(expected);
  const plans = rules.map((rule) => planOf(rule, parts));
  return parts.error ?? plans;
}

function planOf(rule: Rule, parts: Parts): RulePlan {
  // What excludes a call may be any that the trace does not rule out; what proves one has to be shown.
  const certainty = rule.never_after === undefined ? 'surely' : 'may';
  return {
    rule,
    when: listOf<Pattern>(rule.when).map((pattern) => parts.matcher(pattern, 'may')),
    otherPlans: othersOf(rule).map((other) => otherPlanOf(other, certainty, parts)),
    groups: Array.isArray(rule.per) ? parts.keys(rule.per.map(ofArguments), 'may') : null,
    amounts: rule.sum === undefined ? null : valuesAt(rule.sum, 'possible'),
  };
}

const ofArguments = (path: string): KeyPath => ({ path, isInResult: false });

function otherPlanOf(config: Other, certainty: Certainty, parts: Parts): OtherPlan {
  const { same, same_step: _, own: __, ...pattern } = config;
  const sides = same?.map(sidesOf);
  return {
    config,
    matcher: parts.matcher(pattern, certainty),
    same: sides
      ? {
          when: parts.keys(
            sides.map(({ path }) => ofArguments(path)),
            'may',
          ),
          other: parts.keys(
            sides.map(({ other, isInResult }) => ({ path: other, isInResult })),
            certainty,
          ),
        }
      : null,
    readsResult: readsResult(config),
  };
}

/** Equal patterns and lists of paths are one, so that each meets a call once. */
class Parts {
  error: ScorerError | undefined;
  readonly #expected: Expected;
  readonly #matchers = new Map<string, Matcher>();
  readonly #keys = new Map<string, Keys>();

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  matcher(pattern: Pattern, certainty: Certainty): Matcher {
    const text = canonicalText([certainty, pattern]);
    const known = this.#matchers.get(text);
    if (known !== undefined) return known;
    const matcher = matcherOf(pattern, this.#expected, certainty);
    if ('code' in matcher) {
      this.error ??= matcher;
      return NONE;
    }
    this.#matchers.set(text, matcher);
    return matcher;
  }

  keys(paths: readonly KeyPath[], certainty: Certainty): Keys {
    const text = canonicalText([certainty, paths]);
    const known = this.#keys.get(text) ?? new Keys(paths, certainty);
    this.#keys.set(text, known);
    return known;
  }
}

const NONE: Matcher = {
  tools: [],
  except: [],
  failed: undefined,
  condition: null,
  result: [],
  certainty: 'surely',
};
