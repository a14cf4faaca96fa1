import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction, write } from '../../../kit/api.ts';
import { deleteOrganisation, restoreOrganisation, whoami } from '../../../kit/session.ts';
import { Field } from '../../../parts/Fields.tsx';
import { Notice, Trouble } from '../../../parts/Notice.tsx';
import { Time } from '../../../parts/Time.tsx';
import { Foreign } from '../../../parts/Words.tsx';

/** The end of the organisation, and the way back while there is one. */
export function Deletion(): JSX.Element | null {
  const action = useAction();
  const [named, setNamed] = useState('');
  const { organisation } = whoami.value ?? {};
  if (organisation === undefined) return null;
  const { name, deletes_at } = organisation;
  const begin = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(() => write(() => deleteOrganisation(named)));
  };
  if (deletes_at !== undefined)
    return (
      <section class="section">
        <h2>Deletion</h2>
        <Trouble problem={action.problem} />
        <Notice tone="warning">
          Until <Time at={deletes_at} /> everything can be read and exported. Then all of it goes.
        </Notice>
        <button
          type="button"
          class="primary"
          disabled={action.isBusy}
          onClick={() => void action.run(() => write(restoreOrganisation))}
        >
          Keep the organisation
        </button>
      </section>
    );
  return (
    <section class="section">
      <h2>Delete the organisation</h2>
      <p>
        Its suites, runs, results, keys and logs go in seven days; until then you can take that back. Runs are
        refused at once, and CI stops. First write all of it into files:{' '}
        <code>evalgate export organisation --out everything</code>
      </p>
      <p>
        Its name is <Foreign text={name} />.
      </p>
      <form class="stack" onSubmit={begin}>
        <Field label="Its name, to confirm">
          {(id) => (
            <input id={id} value={named} onInput={({ currentTarget }) => setNamed(currentTarget.value)} />
          )}
        </Field>
        <Trouble problem={action.problem} />
        <button type="submit" class="danger" disabled={action.isBusy || named !== name}>
          Delete the organisation
        </button>
      </form>
    </section>
  );
}
