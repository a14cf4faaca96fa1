import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../../../gate/report/numbers.ts';
import type { SuitesCreateBody } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { useAction, write } from '../../kit/api.ts';
import { useForm } from '../../kit/form/form.ts';
import { fieldIn, forms } from '../../kit/form/forms.ts';
import { readFields, typedFields } from '../../kit/form/typed.ts';
import { navigate } from '../../kit/router.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { DescribedField } from '../../parts/fields/DescribedFields.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { scorersKey, suitesKey } from '../../parts/save/data.ts';
import { Foreign } from '../../parts/Words.tsx';
import { useTemplates } from './data.ts';

interface Props {
  readonly project: string;
  readonly onClose: () => void;
}

const FIELDS = [fieldIn(forms.suite, 'name'), fieldIn(forms.suite, 'pass_threshold')];

export function NewSuite({ project, onClose }: Props): JSX.Element {
  const form = useForm(typedFields(FIELDS));
  const create = async () => {
    const body = readFields(FIELDS, form) as unknown as SuitesCreateBody;
    const { slug } = await write((sdk) => sdk.suites.create(project, body), suitesKey(project));
    // It has no case yet.
    form.settle(() => navigate(to.newCase(project, slug)));
  };
  return (
    <FormDialog title="New suite" verb="Create suite" action={form.action} act={create} onClose={onClose}>
      {FIELDS.map((field) => (
        <DescribedField key={field.name} form={form} field={field} />
      ))}
    </FormDialog>
  );
}

/** Without the stop that something follows. */
const firstWords = (text: string): string => /^(.*?)[.:] /s.exec(text)?.[1] ?? text;

export function FromTemplate({ project, onClose }: Props): JSX.Element {
  const { data: templates, problem, reload } = useTemplates();
  const [chosen, setChosen] = useState<string>();
  const action = useAction();
  const template = chosen ?? templates?.[0]?.slug;
  const create = async () => {
    const { slug } = await write(
      (sdk) => sdk.suites.createFromTemplate(project, { template_slug: template ?? '' }),
      suitesKey(project),
      scorersKey(project),
    );
    navigate(to.suite(project, slug));
  };
  return (
    <FormDialog
      title="Suite from a template"
      verb="Create suite"
      action={action}
      act={create}
      onClose={onClose}
      isDisabled={template === undefined}
    >
      <Trouble problem={problem} retry={reload} />
      {!templates && !problem && <Loading what="templates" />}
      <fieldset class="choices">
        <legend class="hidden">Template</legend>
        {templates?.map(({ slug, name, description, cases }) => (
          <label key={slug} class="choice">
            <input
              type="radio"
              name="template"
              checked={slug === template}
              onChange={() => setChosen(slug)}
            />
            <span>
              <strong>
                <Foreign text={name} />
              </strong>{' '}
              <span class="muted">{counted(cases.length, 'case')}</span>
              <br />
              <span class="muted">
                <Foreign text={slug === template ? description : firstWords(description)} />
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
