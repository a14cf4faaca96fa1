import { pointerOf } from '../jsonPath/config.ts';
import type { CompiledScorer, Guard, Outcome, ScorerOptions } from '../kit/definition.ts';
import { configInvalid, erroredOutcome } from '../kit/errors.ts';
import { isRangeError, messageOf } from '../kit/guard.ts';
import type { Expected } from '../kit/reading/expected.ts';
import type { Config, Pattern } from './config.ts';
import { judge } from './judge.ts';
import { outcomeOf } from './outcome.ts';
import { asPattern, listOf, members, othersOf } from './parts.ts';
import { type Plan, planOf } from './plan.ts';

export { issuesOf } from './check.ts';

export function trajectoryScorer(config: Config, guard: Guard, { dualSided }: ScorerOptions): CompiledScorer {
  const usesExpected = readsExpected(config);
  let plans = new WeakMap<Expected, ReturnType<typeof planOf>>();
  const planFor = (expected: Expected): ReturnType<typeof planOf> => {
    const known = plans.get(expected) ?? planOf(config, expected, dualSided);
    plans.set(expected, known);
    return known;
  };
  return {
    guard,
    usesExpected,
    score({ trace = [] }, expected): Outcome {
      try {
        const plan: Plan | ReturnType<typeof planOf> = planFor(expected);
        if ('code' in plan) return erroredOutcome(plan);
        return outcomeOf(judge(trace, plan, config), config, dualSided);
      } catch (error) {
        return isRangeError(error) ? erroredOutcome(guard.timeout) : configInvalid(messageOf(error));
      }
    },
    reset() {
      plans = new WeakMap();
    },
  };
}

function readsExpected({ calls, forbidden, rules = [] }: Config): boolean {
  if (calls === undefined) return true;
  const patterns = [
    ...calls.flatMap(members),
    ...forbidden.map(asPattern),
    ...rules.flatMap((rule) => [...listOf<Pattern>(rule.when), ...othersOf(rule)]),
  ];
  return patterns.flatMap(assertionsOf).some(({ value }) => pointerOf(value) !== null);
}

const assertionsOf = ({ assertions = [], result = [] }: Partial<Pattern>) => [...assertions, ...result];
