import type { JSX } from 'preact';
import { Field } from '../../../parts/Fields.tsx';
import { CheckField, type Form, TextField } from '../../../parts/Form.tsx';
import { LABELS, type TagRow, tagLines, tagRows } from './fields.ts';

interface Props {
  readonly form: Form;
}

/** What a run has to reach beside the pass threshold. */
export function GateFields({ form }: Props): JSX.Element {
  const gate = (name: 'judged' | 'lower' | 'newly' | 'comparable', hint: string, max?: number) => (
    <TextField {...{ form, name, hint, label: LABELS[name] }} type="number" min={0} {...(max && { max })} />
  );
  return (
    <fieldset class="form-group">
      <legend>Gates</legend>
      <p class="hint">A field that is empty is no gate.</p>
      <div class="form-columns">
        {gate('judged', 'With fewer, a run is inconclusive.')}
        {gate('lower', 'Of the pass rate’s 95 % interval: few cases prove little.', 100)}
        {gate('newly', 'Compared with the baseline.')}
        {gate('comparable', 'The share of the weight that the baseline has, too; 80 without it.', 100)}
      </div>
      <CheckField {...{ form, name: 'regression', label: LABELS.regression }} />
      {form.isOn('regression') && (
        <div class="form-columns nested">
          <TextField
            {...{ form, name: 'alpha', label: LABELS.alpha }}
            hint="The share of equal runs that may fail by chance."
            type="number"
            min={0}
            max={0.5}
            isRequired
          />
          <TextField
            {...{ form, name: 'drop', label: LABELS.drop }}
            hint="A smaller fall of the pass rate is none."
            type="number"
            min={0}
            max={100}
            isRequired
          />
        </div>
      )}
      <Tags form={form} />
    </fieldset>
  );
}

const NEW_TAG: TagRow = { tag: '', percent: '100', judged: '1' };

const COLUMNS = [
  ['tag', 'Tag', {}],
  ['percent', 'Pass threshold of the tag in %', { type: 'number', min: 0, max: 100, step: 'any' }],
  ['judged', 'Judged, at least', { type: 'number', min: 1 }],
] as const;

function Tags({ form }: Props): JSX.Element {
  const rows = tagRows(form.text('tags'));
  const put = (next: readonly TagRow[]) => form.set({ tags: tagLines(next) });
  return (
    <>
      {rows.map((row, index) => (
        <div key={`${index}`} class="form-columns tag-gate">
          {COLUMNS.map(([name, label, attributes]) => (
            <Field key={name} label={label}>
              {(id) => (
                <input
                  id={id}
                  required
                  {...attributes}
                  value={row[name]}
                  onInput={({ currentTarget: { value } }) =>
                    put(rows.map((other, at) => (at === index ? { ...other, [name]: value } : other)))
                  }
                />
              )}
            </Field>
          ))}
          <button type="button" class="quiet" onClick={() => put(rows.filter((_, at) => at !== index))}>
            Remove<span class="hidden"> the gate of tag {row.tag}</span>
          </button>
        </div>
      ))}
      <button type="button" class="form-add" onClick={() => put([...rows, NEW_TAG])}>
        Add a gate for a tag
      </button>
    </>
  );
}
