import type { JSX } from 'preact';
import type { Field as Described, Input } from '../../kit/form/description.ts';
import { type Form, problemOf } from '../../kit/form/form.ts';
import { kindOf, linesOfRows, newRow, rowsOf } from '../../kit/form/typed.ts';
import { Field } from '../Fields.tsx';
import { CheckField, JsonArea, SelectField, TextArea, TextField } from '../Form.tsx';

export interface InputProps {
  readonly form: Form;
  readonly field: Described;
  /** The name of the field in the form. */
  readonly path: string;
}

const common = ({ form, field: { label, hint }, path }: InputProps) => ({ form, name: path, label, hint });

const inPercent = ({ isPercent }: Described, bound: number | undefined): number | undefined =>
  bound !== undefined && isPercent ? bound * 100 : bound;

/** Bounds of a number as they are typed. */
const boundsOf = (field: Described) => {
  const [min, max] = [inPercent(field, field.min), inPercent(field, field.max)];
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
};

function Line(props: InputProps): JSX.Element {
  const { field } = props;
  const { input, isRequired = false, lengthMax, placeholder } = field;
  const type = input === 'number' || input === 'date' ? input : 'text';
  return (
    <TextField
      {...common(props)}
      {...boundsOf(field)}
      type={type}
      isRequired={isRequired}
      {...(lengthMax !== undefined && { lengthMax })}
      {...(placeholder !== undefined && { placeholder })}
    />
  );
}

const Lines = (props: InputProps): JSX.Element => (
  <TextArea {...common(props)} rows={3} isRequired={props.field.isRequired ?? false} />
);

const Area = (props: InputProps): JSX.Element => (
  <TextArea
    {...common(props)}
    rows={props.field.isRequired ? 6 : 2}
    isRequired={props.field.isRequired ?? false}
  />
);

const Json = (props: InputProps): JSX.Element => (
  <JsonArea {...common(props)} rows={props.field.isFurther ? 2 : 6} />
);

function Select(props: InputProps): JSX.Element {
  const { form, field, path } = props;
  const { options = [], absent, isRequired } = field;
  const value = form.text(path);
  const isOffered = (option: string): boolean => options.some(([offered]) => offered === option);
  const nothing = isRequired || absent !== undefined ? [] : [['', 'not set'] as const];
  const foreign = value === '' || isOffered(value) ? [] : [[value, value] as const];
  return <SelectField {...common(props)} options={[...nothing, ...options, ...foreign]} />;
}

function Expected(props: InputProps): JSX.Element {
  const { form, field, path } = props;
  const kind = form.text(kindOf(path));
  return (
    <div class="stack">
      <SelectField
        form={form}
        name={kindOf(path)}
        label={`${field.label} is`}
        options={[
          ['text', 'a text'],
          ['json', 'JSON'],
          ['nothing', 'nothing: the scorer needs none'],
        ]}
      />
      {kind === 'text' && <TextArea {...common(props)} />}
      {kind === 'json' && <JsonArea {...common(props)} />}
    </div>
  );
}

const attributesOf = (field: Described): object => ({
  ...boundsOf(field),
  type: field.input === 'number' ? 'number' : 'text',
  step: field.input === 'number' ? 'any' : undefined,
  required: field.isRequired,
});

/** A list of objects, one a row. */
function Rows({ form, field, path }: InputProps): JSX.Element {
  const { fields = [], row: called = 'a row', hint } = field;
  const rows = rowsOf(form.text(path));
  const put = (next: readonly (readonly string[])[]) => form.set({ [path]: linesOfRows(next) });
  const replace = (rowIndex: number, column: number, text: string) =>
    put(rows.map((row, index) => (index === rowIndex ? row.with(column, text) : row)));
  return (
    <>
      {hint && <p class="hint">{hint}</p>}
      {rows.map((row, index) => (
        <div key={`${index}`} class="form-columns rows">
          {fields.map((cell, column) => (
            <Field
              key={cell.name}
              label={cell.label}
              problem={problemOf(form.action.problem, `${path}.${index}.${cell.name}`)}
            >
              {(id) => (
                <input
                  id={id}
                  {...attributesOf(cell)}
                  value={row[column] ?? ''}
                  onInput={({ currentTarget }) => replace(index, column, currentTarget.value)}
                />
              )}
            </Field>
          ))}
          <button
            type="button"
            class="quiet"
            onClick={() => put(rows.filter((_, rowIndex) => rowIndex !== index))}
          >
            Remove
            <span class="hidden">
              {' '}
              {called} {row[0]}
            </span>
          </button>
        </div>
      ))}
      <button type="button" class="form-add" onClick={() => put([...rows, newRow(field)])}>
        Add {called}
      </button>
    </>
  );
}

/** What each kind of input is drawn with. A page has its own for what it alone knows, such as the scorers of a project. */
export const INPUTS: { readonly [Name in Input]: (props: InputProps) => JSX.Element } = {
  text: Line,
  number: Line,
  date: Line,
  words: Line,
  scorer: Line,
  area: Area,
  lines: Lines,
  json: Json,
  check: (props) => <CheckField {...common(props)} />,
  group: (props) => <CheckField {...common(props)} />,
  select: Select,
  expected: Expected,
  rows: Rows,
};
