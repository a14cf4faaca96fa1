import type { JSX } from 'preact';
import { to } from '../../kit/addresses.ts';
import { useAction, write } from '../../kit/api.ts';
import { useForm } from '../../kit/form/form.ts';
import { rememberProject } from '../../kit/kept.ts';
import { navigate } from '../../kit/router.ts';
import { Snippet } from '../../parts/Copy.tsx';
import { TextField } from '../../parts/Form.tsx';
import { ActForm, FormDialog } from '../../parts/FormDialog.tsx';
import { Trouble } from '../../parts/Notice.tsx';

/** Makes a project and leads to it. */
function useNewProject() {
  const form = useForm({ name: '' });
  const act = async () => {
    const body = { name: form.text('name').trim() };
    const { slug } = await write((sdk) => sdk.projects.create(body), 'projects');
    rememberProject(slug);
    form.settle(() => navigate(to.project(slug)));
  };
  const name = (
    <TextField
      {...{ form, name: 'name', label: 'Name of the project' }}
      isRequired
      lengthMax={100}
      placeholder="Support bot"
    />
  );
  return { verb: 'Create project', action: form.action, act, children: name };
}

export const NewProject = ({ onClose }: { readonly onClose: () => void }): JSX.Element => (
  <FormDialog title="New project" {...useNewProject()} onClose={onClose} />
);

const EXAMPLE = { name: 'Example', slug: 'example' } as const;
const EXAMPLE_SUITE = {
  template_slug: 'json-schema-extraction',
  name: 'Invoices',
  slug: 'invoices',
} as const;

/** Makes a project with a suite that needs no key of a provider, and leads to where an output is judged. */
function Example(): JSX.Element {
  const action = useAction();
  const make = () =>
    action.run(async () => {
      await write((sdk) => sdk.projects.create(EXAMPLE), 'projects');
      await write((sdk) => sdk.suites.createFromTemplate(EXAMPLE.slug, EXAMPLE_SUITE), 'projects');
      rememberProject(EXAMPLE.slug);
      navigate(to.trial(EXAMPLE.slug, EXAMPLE_SUITE.slug));
    });
  return (
    <>
      <p>Or look at an example first: a suite that judges the fields of an invoice, as JSON.</p>
      <Trouble problem={action.problem} />
      <p>
        <button type="button" disabled={action.isBusy} onClick={() => void make()}>
          Make the example
        </button>
      </p>
    </>
  );
}

/** From the folder of the program that is to be gated. */
const commands = (): string =>
  [
    `npm install -g ${location.origin}/client/evalgate.tgz`,
    `evalgate login --url ${location.origin}`,
    'evalgate init',
  ].join('\n');

/** Where there is none yet: the two ways to the first one. */
export function FirstProject({ canMake }: { readonly canMake: boolean }): JSX.Element {
  const form = useNewProject();
  return (
    <div class="columns">
      {canMake && (
        <section class="card">
          <h2>Create the first project</h2>
          <p>
            A project holds the suites of one product. A suite is a list of cases: an input each, and what a
            good answer is.
          </p>
          <ActForm {...form} />
          <Example />
        </section>
      )}
      <section class="card">
        <h2>{canMake ? 'Or from a terminal' : 'No project yet'}</h2>
        <p>These commands make a project and a suite in the folder of your program.</p>
        <Snippet text={commands()} label="Copy commands" />
      </section>
    </div>
  );
}
