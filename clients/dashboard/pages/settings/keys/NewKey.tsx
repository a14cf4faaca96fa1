import type { JSX } from 'preact';
import type { ApiKeysCreateBody, Project } from '../../../../sdk/index.ts';
import { write } from '../../../kit/api.ts';
import { useForm } from '../../../kit/form/form.ts';
import { useLeaveGuard } from '../../../kit/leave.ts';
import { person } from '../../../kit/session.ts';
import { Snippet } from '../../../parts/Copy.tsx';
import { SelectField, TextField } from '../../../parts/Form.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Notice } from '../../../parts/Notice.tsx';
import { projectOptions } from '../data.ts';

const FULL = 'full';
const SCOPES: readonly (readonly [NonNullable<ApiKeysCreateBody['scope']>, string])[] = [
  ['run', 'run: makes runs and reads them; for CI'],
  ['read', 'read: sees everything, changes nothing; for people who look'],
  ['suites', 'suites: edits suites, cases and scorers, too'],
  [FULL, 'full: all of that, projects, keys and payments'],
];

/** A key of a person ends: the person may leave. */
const DAYS_OF_PERSONS = 365;
const DAY_MS = 86_400_000;
const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

interface Props {
  readonly projects: readonly Project[] | undefined;
  /** The key of what is no longer true then. */
  readonly touched: string;
  readonly onMade: (key: string) => void;
  readonly onClose: () => void;
}

/** Makes a key. */
export function NewKey({ projects, touched, onMade, onClose }: Props): JSX.Element {
  const form = useForm({ name: '', scope: 'run', project: '', expires_at: '' });
  const isOfPerson = person.value !== undefined;
  const create = async () => {
    const day = form.text('expires_at');
    const body: ApiKeysCreateBody = {
      name: form.text('name').trim(),
      scope: form.text('scope') as NonNullable<ApiKeysCreateBody['scope']>,
      ...(form.text('project') && { project: form.text('project') }),
      ...(day && { expires_at: `${day}T00:00:00Z` }),
    };
    const { key } = await write((sdk) => sdk.apiKeys.create(body), touched);
    form.settle();
    onMade(key);
  };
  return (
    <FormDialog title="New API key" verb="Create key" action={form.action} act={create} onClose={onClose}>
      <TextField
        {...{ form, name: 'name', label: 'Name' }}
        isRequired
        lengthMax={100}
        hint="Who or what uses it: one key a person."
      />
      <SelectField
        {...{ form, name: 'scope', label: 'Scope' }}
        options={isOfPerson ? SCOPES.filter(([scope]) => scope !== FULL) : SCOPES}
        hint={
          isOfPerson
            ? 'A person makes no key of scope full, which would outlast the person: a key of that scope makes one.'
            : undefined
        }
      />
      <div class="columns">
        <SelectField {...{ form, name: 'project', label: 'Project', options: projectOptions(projects) }} />
        <TextField
          {...{ form, name: 'expires_at', label: 'Expires on' }}
          type="date"
          isRequired={isOfPerson}
          min={dayIn(1)}
          {...(isOfPerson && { max: dayIn(DAYS_OF_PERSONS) })}
          hint={
            isOfPerson ? 'A key that a person makes ends within 365 days.' : 'Left empty: when it is revoked.'
          }
        />
      </div>
    </FormDialog>
  );
}

interface MadeKeyProps {
  /** It is nowhere else. */
  readonly text: string;
  readonly onDone: () => void;
}

/** A key is shown once. */
export function MadeKey({ text, onDone }: MadeKeyProps): JSX.Element {
  useLeaveGuard(true);
  return (
    <section class="card is-form" aria-label="The new key">
      <h2>The new key</h2>
      <Notice tone="warning" title="It is shown once.">
        Store it in a password manager, or as a secret of your CI.
      </Notice>
      <Snippet text={text} label="Copy key" />
      <div class="dialog-buttons">
        <button type="button" class="primary" onClick={onDone}>
          I have stored it
        </button>
      </div>
    </section>
  );
}
