import type { JSX } from 'preact';
import type { Scorer } from '../../../sdk/index.ts';
import { CheckField, type Form, JsonArea, SelectField, TextArea, TextField } from '../../parts/Form.tsx';
import { ConfigFields } from '../scorer/ConfigFields.tsx';
import { typedConfig } from '../scorer/config.ts';
import { SCORER_TYPES, type ScorerType, TYPES } from '../scorer/types.ts';
import { LABELS } from './fields.ts';

interface Props {
  readonly form: Form;
  readonly scorers: readonly Scorer[];
  /** Whether the save makes a scorer, too. */
  readonly canMake: boolean;
}

const NEW = 'new:';
/** The type of the scorer that is to be made with the case. */
export const newScorerType = (form: Form): ScorerType | undefined => {
  const id = form.text('scorer_id');
  return id.startsWith(NEW) ? (id.slice(NEW.length) as ScorerType) : undefined;
};
export const asNewScorer = (type: ScorerType): { readonly scorer_id: string } => ({
  scorer_id: NEW + type,
  ...typedConfig(type),
});

/** What tells it from the others: its type where the name is another one, and its key where others have its name. */
function scorerWords({ name, type, key }: Scorer, scorers: readonly Scorer[]): string {
  const isAlone = scorers.filter((other) => other.name === name).length === 1;
  const aside = [...(name === TYPES[type].label ? [] : [TYPES[type].label]), ...(isAlone ? [] : [key])];
  return aside.length === 0 ? name : `${name} (${aside.join(', ')})`;
}

function ScorerField({ form, scorers, canMake }: Props): JSX.Element {
  const known = scorers.map((scorer) => [scorer.id, scorerWords(scorer, scorers)] as const);
  const isKnown = known.some(([id]) => id === form.text('scorer_id')) || newScorerType(form) !== undefined;
  const fresh = (canMake ? SCORER_TYPES : []).map(
    (type) => [NEW + type, `New: ${TYPES[type].label}`] as const,
  );
  const selected = form.text('scorer_id');
  const other = isKnown ? [] : [[selected, selected === '' ? 'Choose one' : 'The present one'] as const];
  const type = newScorerType(form);
  const choose: Form = {
    ...form,
    set(fields) {
      const chosen = fields.scorer_id?.startsWith(NEW)
        ? (fields.scorer_id.slice(NEW.length) as ScorerType)
        : undefined;
      form.set(chosen ? asNewScorer(chosen) : fields);
    },
  };
  return (
    <>
      <SelectField
        {...{ form: choose, name: 'scorer_id', label: LABELS.scorer_id }}
        hint={type ? undefined : 'What a good output is measured by.'}
        options={[...other, ...known, ...fresh]}
      />
      {type && (
        <div class="nested">
          <ConfigFields form={form} type={type} />
        </div>
      )}
    </>
  );
}

function Expected({ form }: { readonly form: Form }): JSX.Element {
  const kind = form.text('expected_kind');
  return (
    <>
      <SelectField
        {...{ form, name: 'expected_kind', label: LABELS.expected_kind }}
        options={[
          ['text', 'a text'],
          ['json', 'JSON'],
          ['nothing', 'nothing: the scorer needs none'],
        ]}
      />
      {kind === 'text' && <TextArea {...{ form, name: 'expected', label: LABELS.expected }} />}
      {kind === 'json' && <JsonArea {...{ form, name: 'expected', label: LABELS.expected }} />}
    </>
  );
}

function Advisory({ form }: { readonly form: Form }): JSX.Element {
  return (
    <>
      <CheckField
        {...{ form, name: 'is_advisory', label: LABELS.is_advisory }}
        hint="For a while it is scored and shown, and holds no release up."
      />
      {form.isOn('is_advisory') && (
        <div class="nested">
          <TextField {...{ form, name: 'owner', label: LABELS.owner }} isRequired />
          <TextField
            {...{ form, name: 'reason', label: LABELS.reason }}
            isRequired
            hint="At least 10 characters."
          />
          <TextField
            {...{ form, name: 'until', label: LABELS.until }}
            type="date"
            isRequired
            hint="At most 90 days ahead. From then on it gates again."
          />
        </div>
      )}
    </>
  );
}

/** What is seldom changed. */
function Further({ form }: { readonly form: Form }): JSX.Element {
  return (
    <details class="further" onInvalidCapture={({ currentTarget }) => (currentTarget.open = true)}>
      <summary>Threshold, weight, tags and more</summary>
      <div class="stack">
        <div class="columns">
          <TextField
            {...{ form, name: 'threshold', label: LABELS.threshold }}
            type="number"
            min={0}
            max={1}
            isRequired
            hint="The least score that passes, 0 to 1."
          />
          <TextField
            {...{ form, name: 'weight', label: LABELS.weight }}
            type="number"
            min={0}
            isRequired
            hint="Its share in the pass rate."
          />
          <TextField {...{ form, name: 'tags', label: LABELS.tags }} hint="Separated by commas." />
          <TextField
            {...{ form, name: 'key', label: LABELS.key }}
            hint="By which outputs name it. Left empty: made from the name."
          />
          <TextField
            {...{ form, name: 'sample_count', label: LABELS.sample_count }}
            type="number"
            min={1}
            max={100}
            isRequired
            hint="How often the program answers it."
          />
          <TextField
            {...{ form, name: 'sample_pass_rate', label: LABELS.sample_pass_rate }}
            type="number"
            min={0}
            max={1}
            isRequired
            hint="0 to 1; at least one of them."
          />
        </div>
        <TextArea {...{ form, name: 'description', label: LABELS.description }} rows={2} />
        <div class="checks">
          <CheckField
            {...{ form, name: 'must_pass', label: LABELS.must_pass }}
            hint="If it fails, the run is aborted."
          />
          <CheckField {...{ form, name: 'is_active', label: LABELS.is_active }} />
          <Advisory form={form} />
        </div>
      </div>
    </details>
  );
}

/** The fields of a case: those that a first one needs, then the rest. */
export function CaseFields({ form, scorers, canMake }: Props): JSX.Element {
  return (
    <>
      <TextField
        {...{ form, name: 'name', label: LABELS.name }}
        isRequired
        lengthMax={100}
        placeholder="Refund window"
      />
      <div class="columns">
        <div class="stack">
          <JsonArea
            {...{ form, name: 'input', label: LABELS.input }}
            rows={4}
            hint='What the program is asked, such as {"question": "…"}.'
          />
        </div>
        <div class="stack">
          <Expected form={form} />
        </div>
      </div>
      <ScorerField {...{ form, scorers, canMake }} />
      <Further form={form} />
    </>
  );
}
