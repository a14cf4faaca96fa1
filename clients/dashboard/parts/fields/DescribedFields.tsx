import type { ComponentChildren, JSX } from 'preact';
import type { Field, Fields, Input } from '../../kit/form/description.ts';
import type { Form } from '../../kit/form/form.ts';
import { pathOf } from '../../kit/form/typed.ts';
import { INPUTS, type InputProps } from './inputs.tsx';

/** Inputs that a page has for a widget of its own. */
type OwnInputs = { readonly [Name in Input]?: (props: InputProps) => JSX.Element };

interface Props {
  readonly form: Form;
  /** Before the names of the fields, where they are of a part of what the form holds. */
  readonly prefix?: string;
  readonly inputs?: OwnInputs | undefined;
}

/** One described field. */
export function DescribedField({ form, field, prefix = '', inputs }: Props & { readonly field: Field }) {
  if (field.input === 'group') return <Group {...{ form, field, prefix, inputs }} />;
  const OneInput = inputs?.[field.input] ?? INPUTS[field.input];
  return <OneInput form={form} field={field} path={pathOf(prefix, field.name)} />;
}

/** Fields of an object that belong together. One that may be left out is drawn when its box is ticked. */
function Group({ form, field, prefix = '', inputs }: Props & { readonly field: Field }): JSX.Element {
  const { fields = [], hint, isRequired, name, title } = field;
  const path = pathOf(prefix, name);
  const inner = <Listed form={form} fields={byShape(fields)} prefix={path} inputs={inputs} />;
  if (isRequired) {
    return (
      <fieldset class="form-group">
        <legend>{title}</legend>
        {hint && <p class="hint">{hint}</p>}
        {inner}
      </fieldset>
    );
  }
  return (
    <>
      <INPUTS.check form={form} field={field} path={path} />
      {form.isOn(path) && <div class="nested">{inner}</div>}
    </>
  );
}

type Shape = 'short' | 'wide' | 'check' | 'own';

const SHAPES: { readonly [Name in Input]?: Shape } = {
  text: 'short',
  number: 'short',
  select: 'short',
  date: 'short',
  words: 'short',
  json: 'wide',
  expected: 'wide',
  check: 'check',
  group: 'check',
};
const shapeOf = ({ input, isRequired }: Field): Shape =>
  input === 'group' && isRequired ? 'own' : (SHAPES[input] ?? 'own');
/** Of many small fields, whose order says less than their shape. */
const ORDER: readonly Shape[] = ['short', 'wide', 'check', 'own'];
const byShape = (fields: readonly Field[]): readonly Field[] =>
  fields.toSorted((one, other) => ORDER.indexOf(shapeOf(one)) - ORDER.indexOf(shapeOf(other)));

const CLASSES: { readonly [Name in Shape]?: string } = {
  short: 'form-columns',
  wide: 'columns',
  check: 'checks',
};

/** Neighbours of one shape stand side by side. */
function runsOf(fields: readonly Field[]): readonly (readonly [Shape, readonly Field[]])[] {
  const runs: [Shape, Field[]][] = [];
  for (const field of fields) {
    const last = runs.at(-1);
    if (last?.[0] === shapeOf(field)) last[1].push(field);
    else runs.push([shapeOf(field), [field]]);
  }
  return runs;
}

function Listed({ fields, ...props }: Props & Pick<Fields, 'fields'>): JSX.Element {
  const draw = (some: readonly Field[]): ComponentChildren =>
    some.map((field) => <DescribedField key={field.name} {...props} field={field} />);
  return (
    <>
      {runsOf(fields).map(([shape, run]) => {
        const className = CLASSES[shape];
        return className === undefined || (run.length === 1 && shape !== 'check') ? (
          draw(run)
        ) : (
          <div key={run[0]?.name} class={className}>
            {draw(run)}
          </div>
        );
      })}
    </>
  );
}

/** The fields of an object as its description has them: in their order, and folded away where few need them. */
export function DescribedFields({ fields, further, ...props }: Props & Fields): JSX.Element {
  const rare = fields.filter(({ isFurther }) => isFurther);
  return (
    <>
      <Listed {...props} fields={fields.filter(({ isFurther }) => !isFurther)} />
      {rare.length > 0 && (
        <Folded summary={further}>
          <Listed {...props} fields={byShape(rare)} />
        </Folded>
      )}
    </>
  );
}

interface FoldedProps {
  readonly summary: string;
  readonly children: ComponentChildren;
}

/** Unfolds where the browser finds something wrong inside. */
export function Folded({ summary, children }: FoldedProps): JSX.Element {
  return (
    <details
      class="further"
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true;
      }}
    >
      <summary>{summary}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}
