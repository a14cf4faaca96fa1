import type { PushedDefinition } from '../../../contracts/definitionPushes.ts';
import type { CaseFields, ScorerFields, SuiteFields } from './types.ts';

type PushedChange = PushedDefinition['changes'][number];
type FieldName = keyof SuiteFields | keyof ScorerFields | keyof CaseFields | 'case_order';

/** Numbers and switches of the bar. */
export const FIELDS_WITH_VALUES: ReadonlySet<string> = new Set<FieldName>([
  ...(['pass_threshold', 'show_expected', 'show_inputs'] as const),
  ...(['dual_sided', 'precision_threshold', 'recall_threshold'] as const),
  ...(['threshold', 'weight', 'is_active', 'must_pass', 'sample_count', 'sample_pass_rate'] as const),
]);

/** What may be named to every scope, without its values. */
const FIELDS_WITH_NAMES: ReadonlySet<string> = new Set<FieldName>([
  ...(['name', 'gates', 'keep_outputs', 'case_order', 'type', 'scorer', 'tags', 'advisory'] as const),
]);

/** Documents are named, without their values. */
export const withoutDocuments = (change: PushedChange): PushedChange => shortened(change, () => true);

/**
 * A credential that may not read the bar sees of documents only that a case, a scorer or the suite changes. What is on
 * neither list is a document, so a new field is hidden until a list names it.
 */
const forScopeRun = (change: PushedChange): PushedChange =>
  shortened(change, (name) => FIELDS_WITH_NAMES.has(name));

function shortened(change: PushedChange, isNamed: (name: string) => boolean): PushedChange {
  const fields = Object.entries(change.fields).flatMap(([name, field]) => {
    if (FIELDS_WITH_VALUES.has(name)) return [[name, field] as const];
    return isNamed(name) ? [[name, {}] as const] : [];
  });
  return { ...change, fields: Object.fromEntries(fields) };
}

export const planForScopeRun = (answer: PushedDefinition): PushedDefinition =>
  withChanges(answer, forScopeRun);

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
