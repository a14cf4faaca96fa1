import type { Place } from '../../files/read/problems.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a reader of the report has to know and no entry shows. */
export interface Note {
  readonly place: Place;
  readonly message: string;
}

export interface Judge {
  readonly provider: string;
  readonly model?: string;
}

export interface Scorer {
  readonly type: string;
  readonly config: Fields;
}

export interface ScorerEntry extends Scorer {
  readonly key: string;
}

export type CaseEntry = Fields & { readonly key: string; readonly scorer: string };

/** Cases that one answer is for, with what the program that answers gets. */
export interface Question {
  readonly case: readonly string[];
  readonly input: Fields;
}

export interface ImportedOutput {
  readonly case: readonly string[];
  readonly output?: string;
  readonly trace?: readonly object[];
}
