import type { PushedDefinition } from '../../../contracts/definitionPushes.ts';
import type { CaseFields, ScorerFields, SuiteFields } from './types.ts';

type Told = PushedDefinition['changes'][number];
type FieldName = keyof SuiteFields | keyof ScorerFields | keyof CaseFields | 'case_order';

/** Numbers and switches of the bar. */
export const FIELDS_WITH_VALUES: ReadonlySet<string> = new Set<FieldName>([
  ...(['pass_threshold', 'show_expected'] as const),
  ...(['dual_sided', 'precision_threshold', 'recall_threshold'] as const),
  ...(['threshold', 'weight', 'is_active', 'must_pass', 'sample_count', 'sample_pass_rate'] as const),
]);

/** What may be named to every scope, without its values. */
const FIELDS_WITH_NAMES: ReadonlySet<string> = new Set<FieldName>([
  ...(['name', 'gates', 'keep_outputs', 'case_order', 'type', 'scorer', 'tags', 'advisory'] as const),
]);

/** Documents are named, without their values. */
export const withoutDocuments = (change: Told): Told => shortened(change, () => true);

/**
 * Whoever may not read the bar learns of documents only that a case, a scorer or the suite changes. What is on neither
 * list is a document: a field that is new is not told.
 */
const forScopeRun = (change: Told): Told => shortened(change, (name) => FIELDS_WITH_NAMES.has(name));

function shortened(change: Told, isNamed: (name: string) => boolean): Told {
  const fields = Object.entries(change.fields).flatMap(([name, field]) => {
    if (FIELDS_WITH_VALUES.has(name)) return [[name, field] as const];
    return isNamed(name) ? [[name, {}] as const] : [];
  });
  return { ...change, fields: Object.fromEntries(fields) };
}

export const planForScopeRun = (answer: PushedDefinition): PushedDefinition => told(answer, forScopeRun);

export const planWithoutDocuments = (answer: PushedDefinition): PushedDefinition =>
  told(answer, withoutDocuments);

export const planWithoutFields = (answer: PushedDefinition): PushedDefinition =>
  told(answer, (change) => ({ ...change, fields: {} }));

const told = (answer: PushedDefinition, shortForm: (change: Told) => Told): PushedDefinition => ({
  ...answer,
  changes: answer.changes.map(shortForm),
  weaker: answer.weaker.map(shortForm),
});
