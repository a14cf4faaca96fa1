import { gates } from '../../../scoring/verdict/gates/registry.ts';
import { gravest, ofBar } from '../../../scoring/verdict/strictness.ts';
import { differing } from './fields.ts';
import type { Change, CompleteDefinition, SuiteFields } from './types.ts';

const FIELDS = [
  ...(['name', 'description', 'pass_threshold', 'gates', 'keep_outputs'] as const),
  ...(['show_expected', 'show_inputs', 'show_results'] as const),
] satisfies (keyof SuiteFields)[];

/** How many keys of a new order the plan shows. */
const ORDERED_KEYS_MAX = 20;

/** Of the suite itself and the order of its cases. Undefined where nothing changes. */
export function suiteChange(before: CompleteDefinition, after: CompleteDefinition): Change | undefined {
  const fields = { ...differing(FIELDS, before.suite, after.suite), ...orderFields(before, after) };
  if (Object.keys(fields).length === 0) return undefined;
  const { pass_threshold: from } = before.suite;
  const effect = gravest([
    ofBar(from, after.suite.pass_threshold),
    ...gates.map((gate) => gate.effect(before.suite.gates, after.suite.gates)),
  ]);
  return { kind: 'suite', key: after.suite.slug, action: 'update', fields, effect };
}

/** Of cases that are there before and after. */
function orderFields(before: CompleteDefinition, after: CompleteDefinition): Change['fields'] {
  const keysOf = ({ cases }: CompleteDefinition, other: CompleteDefinition): string[] => {
    const otherKeys = new Set(other.cases.map(({ key }) => key));
    return cases.map(({ key }) => key).filter((key) => otherKeys.has(key));
  };
  const [from, to] = [keysOf(before, after), keysOf(after, before)];
  const first = from.findIndex((key, index) => key !== to[index]);
  if (first < 0) return {};
  const shown = (keys: string[]): string[] => keys.slice(first, first + ORDERED_KEYS_MAX);
  return { case_order: { from: shown(from), to: shown(to) } };
}
