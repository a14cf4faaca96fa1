import type { JSX } from 'preact';
import type { Project } from '../../../sdk/index.ts';
import { erase, write } from '../../kit/api.ts';
import { useForm } from '../../kit/form/form.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { SelectField, TextField } from '../../parts/Form.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Foreign } from '../../parts/Words.tsx';

interface Props {
  readonly project: Project;
  readonly onClose: () => void;
}

const PUSHES = [
  ['suites', 'Every credential that may push'],
  ['full', 'Only credentials of scope full'],
] as const;

export function ProjectSettings({ project, onClose }: Props): JSX.Element {
  const { name, description, weaker_pushes } = project;
  const form = useForm({ name, description: description ?? '', weaker_pushes });
  const save = async () => {
    const typed = {
      name: form.text('name').trim(),
      description: form.text('description').trim() || null,
      weaker_pushes: form.text('weaker_pushes') as Project['weaker_pushes'],
    };
    // What was not touched stays as somebody else may have set it meanwhile.
    const touched = Object.entries(typed).filter(([field]) => form.text(field) !== form.saved[field]);
    const body: Partial<typeof typed> = Object.fromEntries(touched);
    await write((sdk) => sdk.projects.update(project.slug, body), `projects/${project.slug}`, 'projects?');
    form.settle();
  };
  return (
    <FormDialog title="Project settings" verb="Save" action={form.action} act={save} onClose={onClose}>
      <TextField
        {...{ form, name: 'name', label: 'Name' }}
        hint={
          <>
            Addresses and commands keep <code>{project.slug}</code>.
          </>
        }
        isRequired
        lengthMax={100}
      />
      <TextField {...{ form, name: 'description', label: 'Description' }} lengthMax={2_000} />
      <SelectField
        {...{ form, name: 'weaker_pushes', label: 'Who may push a weaker bar' }}
        options={PUSHES}
      />
    </FormDialog>
  );
}

interface DeleteProps extends Props {
  readonly onDeleted: () => void;
}

export function DeleteProject({ project, onClose, onDeleted }: DeleteProps): JSX.Element {
  const remove = async () => {
    await erase((sdk) => sdk.projects.delete(project.slug), 'projects');
    onDeleted();
  };
  return (
    <Confirm title="Delete this project" verb="Delete project" isDangerous act={remove} onClose={onClose}>
      <p>
        <strong>
          <Foreign text={project.name} />
        </strong>{' '}
        goes with all of its suites, cases, scorers, baselines and runs. Gates that name its suites fail from
        then on.
      </p>
    </Confirm>
  );
}
