import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { jsonProblem } from '../kit/json.ts';
import { shown } from '../kit/text.ts';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What the service, or the page, says is wrong with it. */
  readonly problem?: string | undefined;
  /** `marks`: attributes of a control that something is wrong with. */
  readonly children: (id: string, marks: object) => ComponentChildren;
}

/** A labelled control with its hint and what is wrong with it. */
export function Field({ label, hint, problem, children }: FieldProps): JSX.Element {
  const id = useId();
  const marks = problem ? { 'aria-invalid': true, 'aria-describedby': `${id}-problem` } : {};
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, marks)}
      {hint && <p class="hint">{hint}</p>}
      {problem && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {shown(problem)}
        </p>
      )}
    </div>
  );
}

interface JsonProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (text: string) => void;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
  readonly rows?: number;
}

/** A JSON value as text, with the place of what is wrong with it. */
export function JsonField({ label, value, onValue, hint, problem, rows = 5 }: JsonProps): JSX.Element {
  return (
    <Field label={label} hint={hint} problem={problem ?? (value.trim() ? jsonProblem(value) : undefined)}>
      {(id, marks) => (
        <textarea
          id={id}
          {...marks}
          class="code"
          rows={rows}
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface ButtonsProps {
  /** What the form does, such as "Create suite". */
  readonly verb: string;
  /** A second click does nothing. */
  readonly isBusy: boolean | undefined;
  readonly onCancel: (() => void) | undefined;
}

/** The end of a form. One that a page opens takes the focus, and gives it to the heading; dialogs do so by themselves. */
export function FormButtons({ verb, isBusy, onCancel }: ButtonsProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = element.current?.closest('form');
    if (!form || form.closest('dialog')) return;
    if (onCancel) form.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return () => document.querySelector('h1')?.focus();
  }, []);
  return (
    <div class="dialog-buttons" ref={element}>
      {onCancel && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
      <button type="submit" class="primary" disabled={isBusy}>
        {verb}
      </button>
    </div>
  );
}
