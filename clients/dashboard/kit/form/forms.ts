import type { Field, Fields, Forms, ScorerForm } from './description.ts';
import { FORMS } from './written.ts';

export const forms: Forms = FORMS;

const scorerForms = new Map(forms.scorers.map((form) => [form.type, form]));

/** A judge costs money: it is chosen, not taken by itself. */
export const FIRST_TYPE = forms.scorers.find(({ isJudged }) => !isJudged)?.type ?? '';

/** Of a type that this page does not know, all of the config is JSON. */
export const scorerForm = (type: string): ScorerForm =>
  scorerForms.get(type) ?? {
    type,
    label: type,
    hint: 'This page does not know the type: reload it.',
    fields: [],
    further: '',
    isJudged: false,
    readsTrace: false,
    readsMetadata: false,
    needsExpected: false,
  };

export function fieldIn({ fields }: Fields, name: string): Field {
  const known = fields.find((field) => field.name === name);
  if (known === undefined) throw new Error(`The description has no field ${name}`);
  return known;
}

/** What a value of an enumeration is called. */
export const optionIn = ({ options = [] }: Field, value: string): string =>
  options.find(([option]) => option === value)?.[1] ?? value;
