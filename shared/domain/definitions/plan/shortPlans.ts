import type { PushedDefinition } from '../../../contracts/definitionPushes.ts';
import type { BarWarning } from '../../../contracts/gates.ts';
import { type CaseFields, isWeaker, type ScorerFields, type SuiteFields } from './types.ts';

type PushedChange = PushedDefinition['changes'][number];
type FieldName = keyof SuiteFields | keyof ScorerFields | keyof CaseFields;

/** Numbers and switches of the bar. */
export const FIELDS_WITH_VALUES: ReadonlySet<string> = new Set<FieldName>([
  ...(['pass_threshold', 'show_expected', 'show_inputs', 'show_results'] as const),
  ...(['dual_sided', 'precision_threshold', 'recall_threshold'] as const),
  ...(['threshold', 'weight', 'is_active', 'must_pass', 'sample_count', 'sample_pass_rate'] as const),
]);

/** What is not on the list is named, without its values: a new field is hidden until the list names it. */
export const withoutDocuments = (change: PushedChange): PushedChange => ({
  ...change,
  fields: Object.fromEntries(
    Object.entries(change.fields).map(([name, field]) => [name, FIELDS_WITH_VALUES.has(name) ? field : {}]),
  ),
});

/**
 * A credential that may not read the bar learns which fields a plan changes, and not in which direction a hidden value of
 * a scorer would move: with that, one guess after the other would find the value.
 */
export function planForScopeRun(answer: PushedDefinition): PushedDefinition {
  const changes = answer.changes.map((change) =>
    isOfHiddenConfig(change) ? { ...change, effect: 'may be weaker' as const } : change,
  );
  const weaker = changes.filter(isWeaker);
  return planWithoutDocuments({ ...answer, changes, weaker, warnings: answer.warnings.map(withoutTexts) });
}

/** What is not on the list may quote what a case expects. */
const withoutTexts = ({ gate, code, case: key, message }: BarWarning): BarWarning => ({
  gate,
  code,
  ...(key !== undefined && { case: key }),
  message,
});

/** Fields of a scorer that a credential of scope `run` reads in the bars that judged. */
const SHOWN_OF_SCORERS: ReadonlySet<string> = new Set<FieldName>([
  ...(['name', 'type', 'dual_sided', 'precision_threshold', 'recall_threshold'] as const),
]);

const isOfHiddenConfig = ({ kind, action, fields }: PushedChange): boolean =>
  kind === 'scorer' && action === 'update' && Object.keys(fields).some((name) => !SHOWN_OF_SCORERS.has(name));

export const planWithoutDocuments = (answer: PushedDefinition): PushedDefinition =>
  withChanges(answer, withoutDocuments);

export const planWithoutFields = (answer: PushedDefinition): PushedDefinition =>
  withChanges(answer, (change) => ({ ...change, fields: {} }));

const withChanges = (
  answer: PushedDefinition,
  shortForm: (change: PushedChange) => PushedChange,
): PushedDefinition => ({
  ...answer,
  changes: answer.changes.map(shortForm),
  weaker: answer.weaker.map(shortForm),
});
