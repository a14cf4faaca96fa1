import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../../../gate/report/numbers.ts';
import { to } from '../../kit/addresses.ts';
import { useAction, write } from '../../kit/api.ts';
import { percentOf, shareOf } from '../../kit/percent.ts';
import { navigate } from '../../kit/router.ts';
import { TextField, useForm } from '../../parts/Form.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { scorersKey, suitesKey } from '../../parts/save/data.ts';
import { Foreign } from '../../parts/Words.tsx';
import { useTemplates } from './data.ts';

interface Props {
  readonly project: string;
  readonly onClose: () => void;
}

const PASS_THRESHOLD = 0.9;

export function NewSuite({ project, onClose }: Props): JSX.Element {
  const form = useForm({ name: '', pass_threshold: percentOf(PASS_THRESHOLD) });
  const create = async () => {
    const body = { name: form.text('name').trim(), pass_threshold: shareOf(form.text('pass_threshold')) };
    const { slug } = await write((sdk) => sdk.suites.create(project, body), suitesKey(project));
    // It has no case yet.
    form.settle(() => navigate(to.cases(project, slug)));
  };
  return (
    <FormDialog title="New suite" verb="Create suite" action={form.action} act={create} onClose={onClose}>
      <TextField
        {...{ form, name: 'name', label: 'Name' }}
        placeholder="Returns"
        isRequired
        lengthMax={100}
      />
      <TextField
        {...{ form, name: 'pass_threshold', label: 'Pass threshold in %' }}
        hint="The share of the cases, by weight, that has to pass."
        type="number"
        min={0}
        max={100}
        isRequired
      />
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
      ...[suitesKey(project), scorersKey(project)],
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
