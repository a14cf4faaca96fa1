import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { to } from '../../kit/addresses.ts';
import { useAction, write } from '../../kit/api.ts';
import { rememberProject } from '../../kit/kept.ts';
import { navigate } from '../../kit/router.ts';
import { Dialog } from '../../parts/Confirm.tsx';
import { Snippet } from '../../parts/Copy.tsx';
import { Field, FormButtons } from '../../parts/Fields.tsx';
import { Trouble } from '../../parts/Notice.tsx';

/** Makes a project and leads to it. */
function ProjectForm({ onCancel }: { readonly onCancel?: () => void }): JSX.Element {
  const [name, setName] = useState('');
  const action = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(async () => {
      const { slug } = await write((sdk) => sdk.projects.create({ name: name.trim() }), 'projects');
      rememberProject(slug);
      navigate(to.project(slug));
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <Field label="Name of the project" problem={action.problem?.fields.get('name')}>
        {(id) => (
          <input
            id={id}
            required
            maxLength={100}
            placeholder="Support bot"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <Trouble problem={action.problem} />
      <FormButtons verb="Create project" isBusy={action.isBusy} onCancel={onCancel} />
    </form>
  );
}

export function NewProject({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="New project" onClose={onClose}>
      <ProjectForm onCancel={onClose} />
    </Dialog>
  );
}

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
  return (
    <div class="columns">
      {canMake && (
        <section class="card">
          <h2>Create the first project</h2>
          <p>
            A project holds the suites of one product. A suite is a list of cases: an input each, and what a
            good answer is.
          </p>
          <ProjectForm />
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
