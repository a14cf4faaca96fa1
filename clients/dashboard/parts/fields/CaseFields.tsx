import type { JSX } from 'preact';
import type { Scorer } from '../../../sdk/index.ts';
import { asNewScorer, newScorerType, typeIn } from '../../kit/form/case.ts';
import { typedConfig } from '../../kit/form/config.ts';
import type { Form } from '../../kit/form/form.ts';
import { forms, scorerForm } from '../../kit/form/forms.ts';
import { SelectField } from '../Form.tsx';
import { ConfigFields } from './ConfigFields.tsx';
import { DescribedFields } from './DescribedFields.tsx';
import type { InputProps } from './inputs.tsx';

interface Props {
  readonly form: Form;
  readonly scorers: readonly Scorer[];
  /** Whether the save makes a scorer, too. */
  readonly canMake: boolean;
}

/** What distinguishes it from the others: its type where the name is another one, and its key where others have its name. */
function scorerWords({ name, type, key }: Scorer, scorers: readonly Scorer[]): string {
  const { label } = scorerForm(type);
  const isAlone = scorers.filter((other) => other.name === name).length === 1;
  const aside = [...(name === label ? [] : [label]), ...(isAlone ? [] : [key])];
  return aside.length === 0 ? name : `${name} (${aside.join(', ')})`;
}

interface ScorerProps extends InputProps, Pick<Props, 'scorers' | 'canMake'> {}

function ScorerInput({ form, field, path, scorers, canMake }: ScorerProps): JSX.Element {
  const selected = form.text(path);
  const type = newScorerType(form);
  const known = scorers.map((scorer) => [scorer.id, scorerWords(scorer, scorers)] as const);
  const isKnown = known.some(([id]) => id === selected) || type !== undefined;
  const fresh = (canMake ? forms.scorers : []).map(
    (scorer) => [asNewScorer(scorer.type), `New: ${scorer.label}`] as const,
  );
  const other = isKnown ? [] : [[selected, selected === '' ? 'Choose one' : 'The current one'] as const];
  const choose: Form = {
    ...form,
    set(values) {
      const chosen = typeIn(values[path] ?? '');
      form.set(chosen ? { ...values, ...typedConfig(chosen) } : values);
    },
  };
  return (
    <>
      <SelectField
        form={choose}
        name={path}
        label={field.label}
        hint={type ? undefined : field.hint}
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

/** The fields of a case: those that a first one needs, then the rest. */
export function CaseFields({ form, scorers, canMake }: Props): JSX.Element {
  const scorer = (props: InputProps) => <ScorerInput {...props} scorers={scorers} canMake={canMake} />;
  return <DescribedFields form={form} {...forms.case} inputs={{ scorer }} />;
}
