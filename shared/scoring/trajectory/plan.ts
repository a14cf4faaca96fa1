import { canonicalText } from '../digest/documents.ts';
import { testOf } from '../jsonPath/assertions.ts';
import type { ScorerError } from '../kit/definition.ts';
import { EXPECTED_MISSING } from '../kit/errors.ts';
import type { Expected } from '../kit/reading/expected.ts';
import { wishIssues } from './check.ts';
import { type Condition, conditionOf } from './condition.ts';
import { type Config, expectedCallsSchema, type Requested, type Wish } from './config.ts';
import { type Matcher, matcherOf } from './matcher.ts';
import { asPattern, isGroup, maxOf, members, minOf, standsAlone } from './parts.ts';
import { type RulePlan, rulePlansOf } from './rulePlan.ts';

/** An expected call of a case. */
export interface Place {
  readonly tool: string;
  /** Where it stands in the list of expected calls, such as `1` or, in a group, `1.0`. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Its `max` was written: then calls beyond it are surplus, even where more of the tool are allowed. */
  readonly isLimited: boolean;
  readonly condition: Condition | null;
}

/** What a trace is held against. */
export interface Plan {
  /** In the order in which they have to be filled; of `any_order` one. */
  readonly stages: readonly (readonly Place[])[];
  /** What is forbidden. */
  readonly bans: readonly Matcher[];
  readonly rules: readonly RulePlan[];
  readonly required: number;
}

export function planOf(config: Config, expected: Expected, dualSided: boolean): Plan | ScorerError {
  const isComplete = expected.isMissing && standsAlone(config, dualSided);
  const wishes = config.calls ?? (isComplete ? [] : wishesOf(config, expected));
  if ('code' in wishes) return wishes;
  const stages: Ordered[][] = [];
  for (const [index, wish] of wishes.entries()) {
    const stage = stageOf(wish, index, config, expected);
    if ('code' in stage) return stage;
    stages.push(stage);
  }
  const bans: Matcher[] = [];
  for (const pattern of config.forbidden.map(asPattern)) {
    const matcher = matcherOf(pattern, expected, 'may');
    if ('code' in matcher) return matcher;
    bans.push(matcher);
  }
  const rules = rulePlansOf(config.rules ?? [], expected);
  if ('code' in rules) return rules;
  const required = stages.flat().reduce((sum, { min }) => sum + min, 0);
  const ordered = config.order === 'in_order' ? stages : [stages.flat().sort(inOrder)];
  return { stages: ordered, bans, rules, required };
}

type Ordered = Place & { readonly text: string };

function stageOf(
  wish: Wish,
  stageIndex: number,
  config: Config,
  expected: Expected,
): Ordered[] | ScorerError {
  const stage: Ordered[] = [];
  for (const [place, expectedCall] of members(wish).entries()) {
    const condition = conditionOf(expectedCall, expected, testOf);
    if (condition !== null && 'code' in condition) return condition;
    stage.push({
      tool: expectedCall.tool,
      name: isGroup(wish) ? `${stageIndex}.${place}` : String(stageIndex),
      min: minOf(expectedCall),
      max: maxOf(expectedCall, config, isGroup(wish)),
      isLimited: expectedCall.max !== undefined,
      condition,
      text: canonicalText(expectedCall),
    });
  }
  return stage.sort(inOrder);
}

/** So that nothing depends on the order in which places without an order are written. */
const inOrder = (one: { readonly text: string }, other: { readonly text: string }): number =>
  one.text < other.text ? -1 : Number(one.text > other.text);

function wishesOf(config: Config, { value, isMissing }: Expected): readonly Wish[] | ScorerError {
  if (isMissing) return EXPECTED_MISSING;
  const parsed = expectedCallsSchema().safeParse(value);
  const [issue] = parsed.success ? wishIssues(parsed.data as Wish[], config, 'expected') : [];
  if (parsed.success && issue === undefined) return parsed.data as readonly Requested[];
  const why =
    issue === undefined ? 'is no list of expected calls' : `cannot be used: ${issue.path} ${issue.message}`;
  return {
    ...EXPECTED_MISSING,
    reason: `\`expected\` ${why}: correct it, or write \`calls\` into the config`,
  };
}
