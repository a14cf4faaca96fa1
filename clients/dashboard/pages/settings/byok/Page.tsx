import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ByokKey, ByokKeysCreateBody, Project } from '../../../../sdk/index.ts';
import { pageOf, useAction, useAnswer, write } from '../../../kit/api.ts';
import { useForm } from '../../../kit/form/form.ts';
import { forms } from '../../../kit/form/forms.ts';
import { address, navigate, withQuery } from '../../../kit/router.ts';
import { shown } from '../../../kit/text.ts';
import { Confirm, Opener } from '../../../parts/Confirm.tsx';
import { CheckField, SelectField, TextField } from '../../../parts/Form.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Empty, Loading, Trouble } from '../../../parts/Notice.tsx';
import { type Column, Table } from '../../../parts/Table.tsx';
import { Time } from '../../../parts/Time.tsx';
import { Foreign } from '../../../parts/Words.tsx';
import { ALL, useProjects } from '../data.ts';
import { Frame, maySee } from '../Frame.tsx';

const KEYS = 'byok-keys';

/** Keys of model providers, with which judges ask their models: the organisation's, or a project's. */
export function Page(): JSX.Element {
  const isSeen = maySee('byok');
  const project = address.value.query.get('project') || undefined;
  const { data, problem, reload } = useAnswer(
    isSeen ? `${KEYS}?project=${project ?? ''}` : undefined,
    (sdk, options) => pageOf(sdk.byokKeys.list({ ...ALL, ...(project && { project }) }, options)),
  );
  const projects = useProjects(isSeen).data?.data ?? [];
  const [revoked, setRevoked] = useState<ByokKey>();
  return (
    <Frame
      part="byok"
      actions={
        <Opener label="New provider key" kind="primary">
          {(close) => <NewKey project={project} onClose={close} />}
        </Opener>
      }
    >
      <Trouble problem={problem} retry={reload} />
      {projects.length > 0 && <Owner projects={projects} value={project ?? ''} />}
      {!data && !problem && <Loading what="keys" />}
      {data?.data.length === 0 && (
        <Empty title="No key of a model provider">
          {project
            ? 'Judges of this project use the keys of the organisation.'
            : 'Scorers that ask a model need one of yours. Those that compare need none.'}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table
          caption="Provider keys"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={columnsOf(setRevoked)}
        />
      )}
      {revoked && (
        <Confirm
          title="Revoke this key?"
          verb="Revoke"
          isDangerous
          act={() => write((sdk) => sdk.byokKeys.delete(revoked.id), KEYS)}
          onClose={() => setRevoked(undefined)}
        >
          <p>
            <code>{revoked.key_prefix}…</code> of {providerName(revoked.provider)} is destroyed here. Judges
            then use another key of that provider, a project's last one the organisation's; without one, their
            cases cannot be judged.
          </p>
        </Confirm>
      )}
    </Frame>
  );
}

interface OwnerProps {
  readonly projects: readonly Project[];
  /** The slug of a project; '' for the organisation. */
  readonly value: string;
}

function Owner({ projects, value }: OwnerProps): JSX.Element {
  return (
    <search class="filters">
      <select
        aria-label="Keys of"
        value={value}
        onChange={({ currentTarget }) => navigate(withQuery({ project: currentTarget.value || undefined }))}
      >
        <option value="">The organisation</option>
        {projects.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {shown(name)}
          </option>
        ))}
      </select>
    </search>
  );
}

const providerName = (provider: string): string =>
  forms.providers.find(([name]) => name === provider)?.[1] ?? provider;

const columnsOf = (onRevoke: (key: ByokKey) => void): readonly Column<ByokKey>[] => [
  {
    head: 'Key',
    kind: 'main',
    cell: ({ key_prefix, name }) => (
      <>
        <code>{key_prefix}…</code>
        {name && (
          <span class="case-name">
            <Foreign text={name} />
          </span>
        )}
      </>
    ),
  },
  { head: 'Provider', cell: ({ provider }) => providerName(provider) },
  { head: 'Default', cell: ({ is_default }) => (is_default ? 'yes' : 'no') },
  { head: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} isAgo /> : 'never') },
  { head: 'Works', cell: (key) => <TestKey byokKey={key} /> },
  {
    head: 'Revoke',
    kind: 'actions',
    cell: (key) => (
      <button type="button" class="quiet" onClick={() => onRevoke(key)}>
        Revoke<span class="hidden"> {key.key_prefix}</span>
      </button>
    ),
  },
];

/** Asks the provider whether it takes the key. */
function TestKey({ byokKey: { id, provider } }: { readonly byokKey: ByokKey }): JSX.Element {
  const [isValid, setValid] = useState<boolean>();
  const [model, setModel] = useState('');
  const action = useAction();
  const test = () =>
    void action.run(async () => {
      setValid(undefined);
      const body = model.trim() === '' ? {} : { model: model.trim() };
      setValid((await write((sdk) => sdk.byokKeys.test(id, body))).valid);
    });
  return (
    <div class="buttons">
      {forms.deployedProviders.includes(provider) && (
        <input
          type="text"
          aria-label="Endpoint and deployment"
          placeholder="https://…|deployment"
          value={model}
          onInput={({ currentTarget }) => setModel(currentTarget.value)}
        />
      )}
      <button type="button" class="quiet" disabled={action.isBusy} onClick={test}>
        {action.isBusy ? 'Asking …' : 'Test'}
      </button>
      <span role="status">
        {isValid === true && <span class="state has-sign is-good">accepted</span>}
        {isValid === false && <span class="state has-sign is-bad">refused</span>}
      </span>
      <Trouble problem={action.problem} />
    </div>
  );
}

interface NewKeyProps {
  readonly project: string | undefined;
  readonly onClose: () => void;
}

function NewKey({ project, onClose }: NewKeyProps): JSX.Element {
  const form = useForm({ provider: 'openai', key: '', name: '', is_default: 'on' });
  const store = async () => {
    const body: ByokKeysCreateBody = {
      provider: form.text('provider') as ByokKeysCreateBody['provider'],
      key: form.text('key').trim(),
      name: form.text('name').trim() || null,
      is_default: form.isOn('is_default'),
      ...(project && { project }),
    };
    await write((sdk) => sdk.byokKeys.create(body), KEYS);
    form.settle();
  };
  return (
    <FormDialog title="New provider key" verb="Store key" action={form.action} act={store} onClose={onClose}>
      <SelectField {...{ form, name: 'provider', label: 'Provider', options: forms.providers }} />
      <TextField
        {...{ form, name: 'key', label: 'Key' }}
        type="password"
        isRequired
        hint="Kept encrypted, and never shown again."
      />
      <TextField {...{ form, name: 'name', label: 'Name' }} lengthMax={100} />
      <CheckField
        {...{ form, name: 'is_default', label: 'Judges of this provider use it' }}
        hint={
          project
            ? 'Those of this project, before a key of the organisation.'
            : 'It takes the place of the default before it.'
        }
      />
    </FormDialog>
  );
}
