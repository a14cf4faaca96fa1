import type { Scorer, ScorersUpdateBody } from '../../../sdk/index.ts';
import type { Typed, Values } from '../../parts/Form.tsx';
import { configOf, fieldName, OTHERS, typedConfig } from './config.ts';
import { type ScorerType, TYPES } from './types.ts';

const OWN = {
  name: 'Name',
  key: 'Key',
  type: 'Type',
  dual_sided: 'Measures precision and recall',
  precision_threshold: 'Least precision',
  recall_threshold: 'Least recall',
  [OTHERS]: 'Other fields',
} as const;

/** What a scorer's form says of its fields. */
export const LABELS: Values & typeof OWN = {
  ...Object.fromEntries(
    Object.values(TYPES).flatMap(({ fields }) => fields.map((field) => [fieldName(field), field.label])),
  ),
  ...OWN,
};

const shownShare = (share: number | null): string => (share === null ? '' : `${share}`);

/** A scorer as it would be typed. */
export const typedScorer = (scorer: Scorer): Values => ({
  name: scorer.name,
  key: scorer.key,
  type: scorer.type,
  dual_sided: scorer.dual_sided ? 'on' : '',
  precision_threshold: shownShare(scorer.precision_threshold),
  recall_threshold: shownShare(scorer.recall_threshold),
  ...typedConfig(scorer.type, scorer.config),
});

export const typeOf = (form: Typed): ScorerType => form.text('type') as ScorerType;

const shareOf = (text: string): number | null => (text === '' ? null : Number(text));

/** Only what was changed. */
export function changedScorer(form: Typed): ScorersUpdateBody {
  const isChanged = (name: string): boolean => form.text(name) !== (form.saved[name] ?? '');
  const isConfigChanged =
    isChanged('type') || Object.keys(form.values).some((name) => name.startsWith(OTHERS) && isChanged(name));
  return {
    ...(isChanged('name') && { name: form.text('name').trim() }),
    ...(isChanged('key') && { key: form.text('key').trim() }),
    ...(isChanged('type') && { type: typeOf(form) }),
    ...(isConfigChanged && { config: configOf(form, typeOf(form)) }),
    ...(isChanged('dual_sided') && { dual_sided: form.isOn('dual_sided') }),
    ...(isChanged('precision_threshold') && {
      precision_threshold: shareOf(form.text('precision_threshold')),
    }),
    ...(isChanged('recall_threshold') && { recall_threshold: shareOf(form.text('recall_threshold')) }),
  };
}
