import { type Case, type CasesCreateBody, EvalgateError } from '../../../sdk/index.ts';
import type { Typed, Values } from './form.ts';
import { forms, scorerForm } from './forms.ts';
import { readChanged, readFields, typedFields } from './typed.ts';

const { fields } = forms.case;

export const newCase = (): Values => typedFields(fields);

/** A case as it would be typed. */
export const typedCase = (evalCase: Case): Values => typedFields(fields, { ...evalCase });

/** Another case like it, as it would be typed: its key is to be another one, and what one case was granted holds for it alone. */
export const typedLike = (original: Case): Values => ({
  ...typedCase({ ...original, advisory: null, is_active: true }),
  key: '',
});

/** Only what was changed. */
export const changedCase = (form: Typed): Partial<CasesCreateBody> => readChanged(fields, form);
export const completeCase = (form: Typed): CasesCreateBody =>
  readFields(fields, form) as unknown as CasesCreateBody;

/** Throws where a case would expect nothing of a scorer that compares with it. */
export function requireExpected(form: Typed, type: string | undefined): void {
  if (type === undefined || !scorerForm(type).needsExpected) return;
  const { expected } = readFields(
    fields.filter(({ name }) => name === 'expected'),
    form,
  );
  if (expected !== null) return;
  throw new EvalgateError(
    'Expected is missing: the scorer compares with it. Write what a good output is; where it is to be empty, choose JSON and write "".',
    { code: 'NO_EXPECTED' },
  );
}

const NEW = 'new:';
/** The type of the scorer that is to be made with the case. */
export const newScorerType = (form: Typed): string | undefined => typeIn(form.text('scorer_id'));
export const typeIn = (chosen: string): string | undefined =>
  chosen.startsWith(NEW) ? chosen.slice(NEW.length) : undefined;
export const asNewScorer = (type: string): string => NEW + type;
