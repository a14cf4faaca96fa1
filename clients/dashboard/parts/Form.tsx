import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { EvalgateError } from '../../sdk/index.ts';
import { type Action, useAction } from '../kit/api.ts';
import { useLeaveGuard } from '../kit/leave.ts';
import type { Problem } from '../kit/problems.ts';
import { jsonProblem, shown } from '../kit/text.ts';
import {
  Field,
  JsonField,
  rebased,
  type State,
  type Typed,
  touchedIn,
  typedOf,
  type Values,
} from './Fields.tsx';

export type { Typed, Values } from './Fields.tsx';

export interface Form extends Typed {
  /** Something is typed that is not saved. */
  readonly isChanged: boolean;
  readonly action: Action;
  set(fields: Values): void;
  /** Goes on from what somebody else saved meanwhile: only what was typed here stays. */
  rebase(saved: Values): Typed;
  /** What is typed is saved; `then` may leave the page. */
  settle(then?: () => void): void;
}

/** What is typed into a form; leaving asks while it is not saved. */
export function useForm(initial: Values): Form {
  const [state, setState] = useState<State>({ saved: initial, values: initial });
  const action = useAction();
  const isChanged = touchedIn(state).length > 0;
  useLeaveGuard(isChanged);
  return {
    ...typedOf(state),
    isChanged,
    action,
    set: (fields) => setState((before) => ({ ...before, values: { ...before.values, ...fields } })),
    rebase(saved) {
      setState((before) => rebased(before, saved));
      return typedOf(rebased(state, saved));
    },
    settle(then) {
      setState((before) => ({ ...before, saved: before.values }));
      // What asks before leaving goes with the next rendering.
      if (then) setTimeout(then);
    },
  };
}

/** What is wrong with a field, or with a part of its value. */
function problemOf(problem: Problem | undefined, name: string): string | undefined {
  for (const [path, message] of problem?.fields ?? []) {
    if (path === name) return message;
    if (path.startsWith(`${name}.`)) return `${path}: ${message}`;
  }
  return undefined;
}

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
      {(id) => (
        <input
          id={id}
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
      {(id) => (
        <textarea
          id={id}
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
      {(id) => (
        <select
          id={id}
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

/** What a JSON field says. */
export function jsonOf(form: Typed, name: string, label: string): unknown {
  const wrong = jsonProblem(form.text(name));
  if (wrong !== undefined) throw new EvalgateError(`${label} is not JSON: ${wrong}`, { code: 'NOT_JSON' });
  return JSON.parse(form.text(name));
}
