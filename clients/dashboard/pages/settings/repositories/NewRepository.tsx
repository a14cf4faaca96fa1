import type { JSX } from 'preact';
import type { Project, TrustedIssuersCreateBody } from '../../../../sdk/index.ts';
import { write } from '../../../kit/api.ts';
import { useForm } from '../../../kit/form/form.ts';
import { FormButtons } from '../../../parts/Fields.tsx';
import { SelectField, TextField } from '../../../parts/Form.tsx';
import { Trouble } from '../../../parts/Notice.tsx';
import { projectOptions } from '../data.ts';

const SCOPES = [
  ['run', 'run gates'],
  ['suites', 'push suites'],
] as const;

interface Props {
  readonly projects: readonly Project[] | undefined;
  readonly touched: string;
  readonly onDone: () => void;
}

export function NewRepository({ projects, touched, onDone }: Props): JSX.Element {
  const form = useForm({
    repository: '',
    scope: 'run',
    project: '',
    ref: '',
    workflow: '',
    environment: '',
    job_workflow_ref: '',
  });
  const isPush = form.text('scope') === 'suites';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void form.action.run(async () => {
      const text = (name: string): string | null => form.text(name).trim() || null;
      const project = text('project');
      const body: TrustedIssuersCreateBody = {
        repository: form.text('repository').trim(),
        scope: isPush ? 'suites' : 'run',
        ...(project && { project }),
        ref: text('ref'),
        workflow: text('workflow'),
        environment: text('environment'),
        job_workflow_ref: text('job_workflow_ref'),
      };
      await write((sdk) => sdk.trustedIssuers.create(body), touched);
      form.settle(onDone);
    });
  };
  return (
    <form class="card is-form" onSubmit={submit} aria-label="Trust a repository">
      <h2>Trust a repository</h2>
      <TextField
        {...{ form, name: 'repository', label: 'Repository' }}
        isRequired
        placeholder="octo-org/support-bot"
      />
      <div class="columns">
        <SelectField
          {...{ form, name: 'scope', label: 'Scope', options: SCOPES }}
          hint={isPush ? 'Needs a project, a branch and a workflow that runs nothing else.' : undefined}
        />
        <SelectField {...{ form, name: 'project', label: 'Project', options: projectOptions(projects) }} />
        <TextField
          {...{ form, name: 'workflow', label: 'Workflow' }}
          placeholder="gate.yml"
          isRequired={isPush}
          hint="The only file whose jobs are trusted."
        />
        <TextField
          {...{ form, name: 'ref', label: 'Ref' }}
          placeholder="refs/heads/main"
          isRequired={isPush}
          hint="In full. Left empty: pull requests, too."
        />
        <TextField {...{ form, name: 'environment', label: 'Environment' }} placeholder="production" />
        <TextField
          {...{ form, name: 'job_workflow_ref', label: 'Reusable workflow' }}
          placeholder="octo-org/central/.github/workflows/gate.yml@refs/heads/main"
          hint="One that pull requests cannot edit."
        />
      </div>
      <Trouble problem={form.action.problem} />
      <FormButtons verb="Trust it" isBusy={form.action.isBusy} onCancel={onDone} />
    </form>
  );
}
