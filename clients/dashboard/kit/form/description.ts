import type { FieldWords } from '../../../../shared/contracts/base/fields.ts';

/** What a value is typed into. */
export type Input = NonNullable<FieldWords['widget']> | 'text' | 'number' | 'check' | 'select';

/** A field of a form: what its schema and its words in the contracts come to. */
export interface Field {
  readonly name: string;
  readonly input: Input;
  /** As the form has it: with bound and unit. */
  readonly label: string;
  /** What its value is called where it is shown. */
  readonly title: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly bound?: 'least' | 'most';
  readonly isPercent?: boolean;
  readonly isRequired?: boolean;
  /** Left empty it is null, and not left out. */
  readonly isNullable?: boolean;
  readonly isTrimmed?: boolean;
  readonly isFurther?: boolean;
  /** What a field that is left out means. */
  readonly absent?: unknown;
  /** What a new one begins with. */
  readonly sample?: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly lengthMax?: number;
  readonly options?: readonly (readonly [value: string, words: string])[];
  /** Of a group, and of each row of a list. */
  readonly fields?: readonly Field[];
  /** What a row is called. */
  readonly row?: string;
}

/** The fields of an object. */
export interface Fields {
  readonly fields: readonly Field[];
  /** What those that few need are called together. */
  readonly further: string;
}

export interface ScorerForm extends Fields {
  readonly type: string;
  readonly label: string;
  readonly hint: string;
  /** A language model judges, which costs. */
  readonly isJudged: boolean;
  readonly readsTrace: boolean;
  readonly readsMetadata: boolean;
  /** No output passes where the case expects nothing. */
  readonly needsExpected: boolean;
}

export interface Forms {
  /** In the order in which they are offered. */
  readonly scorers: readonly ScorerForm[];
  /** A scorer, but for its type and config. */
  readonly scorer: Fields;
  readonly case: Fields;
  readonly suite: Fields;
  /** What is trusted, in the order in which it is offered. */
  readonly trustedIssuers: readonly (Fields & { readonly kind: string; readonly label: string })[];
  /** The names of model providers. */
  readonly providers: readonly (readonly [value: string, words: string])[];
  /** Those whose models are named by endpoint and deployment. */
  readonly deployedProviders: readonly string[];
}
