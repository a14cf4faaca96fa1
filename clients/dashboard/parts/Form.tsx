import type { ComponentChildren, JSX } from 'preact';
import { type Form, problemOf } from '../kit/form/form.ts';
import { jsonProblem } from '../kit/json.ts';
import { shown } from '../kit/text.ts';
import { Field, JsonField } from './Fields.tsx';

interface BoundProps {
  readonly form: Form;
  /** Of the field, as the service names it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface TextProps extends BoundProps {
  readonly type?: 'text' | 'number' | 'date' | 'password';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly lengthMax?: number;
  readonly min?: number | string;
  readonly max?: number | string;
}

export function TextField({ form, name, label, hint, ...props }: TextProps): JSX.Element {
  const { type = 'text', isRequired, placeholder, lengthMax, min, max } = props;
  const step = type === 'number' ? 'any' : undefined;
  const attributes: object = {
    type,
    step,
    min,
    max,
    placeholder,
    maxLength: lengthMax,
    required: isRequired,
  };
  return (
    <Field label={label} hint={hint} problem={problemOf(form.action.problem, name)}>
      {(id, marks) => (
        <input
          id={id}
          {...marks}
          autocomplete="off"
          spellcheck={false}
          {...attributes}
          value={form.text(name)}
          onInput={({ currentTarget }) => form.set({ [name]: currentTarget.value })}
        />
      )}
    </Field>
  );
}

interface AreaProps extends BoundProps {
  readonly rows?: number;
  readonly isRequired?: boolean;
}

export function TextArea({ form, name, label, hint, rows = 3, isRequired }: AreaProps): JSX.Element {
  return (
    <Field label={label} hint={hint} problem={problemOf(form.action.problem, name)}>
      {(id, marks) => (
        <textarea
          id={id}
          {...marks}
          rows={rows}
          required={isRequired}
          value={form.text(name)}
          onInput={({ currentTarget }) => form.set({ [name]: currentTarget.value })}
        />
      )}
    </Field>
  );
}

export function JsonArea({ form, name, label, hint, rows }: AreaProps): JSX.Element {
  return (
    <JsonField
      {...{ label, hint, ...(rows && { rows }) }}
      value={form.text(name)}
      problem={jsonProblem(form.text(name) || '0') ?? problemOf(form.action.problem, name)}
      onValue={(text) => form.set({ [name]: text })}
    />
  );
}

export function CheckField({ form, name, label, hint }: BoundProps): JSX.Element {
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={form.isOn(name)}
          onChange={({ currentTarget }) => form.set({ [name]: currentTarget.checked ? 'on' : '' })}
        />{' '}
        {label}
      </label>
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}

interface SelectProps extends BoundProps {
  /** Value → words. Foreign. */
  readonly options: readonly (readonly [value: string, words: string])[];
}

export function SelectField({ form, name, label, hint, options }: SelectProps): JSX.Element {
  return (
    <Field label={label} hint={hint} problem={problemOf(form.action.problem, name)}>
      {(id, marks) => (
        <select
          id={id}
          {...marks}
          value={form.text(name)}
          onChange={({ currentTarget }) => form.set({ [name]: currentTarget.value })}
        >
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {shown(words)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
