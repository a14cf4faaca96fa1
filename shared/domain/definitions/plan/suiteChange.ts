import type { Gates } from '../../../contracts/gates.ts';
import { differing } from './fields.ts';
import { type Change, type Effect, gravest, ofBar, type SuiteFields, type WholeDefinition } from './types.ts';

const FIELDS = [
  ...(['name', 'description', 'pass_threshold', 'gates', 'keep_outputs', 'show_expected'] as const),
] satisfies (keyof SuiteFields)[];

/** How many keys of a new order the plan shows. */
const ORDERED_KEYS_MAX = 20;

/** Of the suite itself and the order of its cases. Undefined where nothing changes. */
export function suiteChange(before: WholeDefinition, after: WholeDefinition): Change | undefined {
  const fields = { ...differing(FIELDS, before.suite, after.suite), ...orderFields(before, after) };
  if (Object.keys(fields).length === 0) return undefined;
  const { pass_threshold: from, gates } = before.suite;
  const effect = gravest([ofBar(from, after.suite.pass_threshold), ofGates(gates, after.suite.gates)]);
  return { kind: 'suite', key: after.suite.slug, action: 'update', fields, effect };
}

/** A gate that is not there holds nothing up. */
function ofGates(before: Gates, after: Gates): Effect {
  const effects: Effect[] = [
    ofBar(before.min_judged_cases ?? 0, after.min_judged_cases ?? 0),
    ofOptional(before.min_lower_bound, after.min_lower_bound),
  ];
  const known = new Map(before.tags?.map((gate) => [gate.tag, gate]));
  const wanted = new Map(after.tags?.map((gate) => [gate.tag, gate]));
  for (const tag of new Set([...known.keys(), ...wanted.keys()])) {
    const [one, other] = [known.get(tag), wanted.get(tag)];
    effects.push(ofOptional(one?.pass_threshold, other?.pass_threshold));
    effects.push(ofOptional(one?.min_judged_cases, other?.min_judged_cases));
  }
  return gravest(effects);
}

function ofOptional(before: number | undefined, after: number | undefined): Effect {
  if (before === undefined) return after === undefined ? 'same' : 'stricter';
  return after === undefined ? 'weaker' : ofBar(before, after);
}

/** Of cases that are there before and after. */
function orderFields(before: WholeDefinition, after: WholeDefinition): Change['fields'] {
  const keysOf = ({ cases }: WholeDefinition, other: WholeDefinition): string[] => {
    const others = new Set(other.cases.map(({ key }) => key));
    return cases.map(({ key }) => key).filter((key) => others.has(key));
  };
  const [from, to] = [keysOf(before, after), keysOf(after, before)];
  const first = from.findIndex((key, index) => key !== to[index]);
  if (first < 0) return {};
  const shown = (keys: string[]): string[] => keys.slice(first, first + ORDERED_KEYS_MAX);
  return { case_order: { from: shown(from), to: shown(to) } };
}
