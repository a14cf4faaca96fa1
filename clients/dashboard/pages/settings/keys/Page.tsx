import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { credentialWords } from '../../../../gate/report/review/credential.ts';
import type { ApiKey, Project } from '../../../../sdk/index.ts';
import { pageOf, useAnswer, write } from '../../../kit/api.ts';
import { address, pageIn, toPage } from '../../../kit/router.ts';
import { whoami } from '../../../kit/session.ts';
import { Confirm, Opener } from '../../../parts/Confirm.tsx';
import { Loading, Trouble } from '../../../parts/Notice.tsx';
import { Pager } from '../../../parts/Pager.tsx';
import { type Column, Table } from '../../../parts/Table.tsx';
import { Time } from '../../../parts/Time.tsx';
import { Foreign, Sentence } from '../../../parts/Words.tsx';
import { ALL, projectName, useProjects } from '../data.ts';
import { Frame, maySee } from '../Frame.tsx';
import { MadeKey, NewKey } from './NewKey.tsx';

const KEYS = 'api-keys';

/** The API keys of the organisation: made, shown once, revoked. */
export function Page(): JSX.Element {
  const isSeen = maySee('keys');
  const page = pageIn(address.value);
  const { data, problem, reload } = useAnswer(isSeen ? `${KEYS}?page=${page}` : undefined, (sdk, options) =>
    pageOf(sdk.apiKeys.list({ ...ALL, page }, options)),
  );
  const projects = useProjects(isSeen).data?.data;
  const [newKey, setNewKey] = useState<string>();
  const [revoked, setRevoked] = useState<ApiKey>();
  return (
    <Frame
      part="keys"
      actions={
        newKey === undefined && (
          <Opener label="New API key" kind="primary">
            {(close) => <NewKey {...{ projects, touched: KEYS }} onMade={setNewKey} onClose={close} />}
          </Opener>
        )
      }
    >
      <Trouble problem={problem} retry={reload} />
      {newKey !== undefined && <MadeKey text={newKey} onDone={() => setNewKey(undefined)} />}
      {!data && !problem && <Loading what="keys" />}
      {data && (
        <Table
          caption="API keys"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={columnsOf(projects, setRevoked)}
        />
      )}
      {data?.pagination && <Pager pagination={data.pagination} noun="keys" hrefOf={toPage()} />}
      {revoked && (
        <Confirm
          title="Revoke this key?"
          verb="Revoke"
          isDangerous
          act={() => write((sdk) => sdk.apiKeys.delete(revoked.id), KEYS)}
          onClose={() => setRevoked(undefined)}
        >
          <p>
            <strong>
              <Foreign text={revoked.name} />
            </strong>{' '}
            (<code>{revoked.key_prefix}…</code>) ends at once, with every token and session that was made with
            it. What uses it, such as CI, stops.
          </p>
          {isOwn(revoked) && <p>You are signed in with it: this session ends, too.</p>}
        </Confirm>
      )}
    </Frame>
  );
}

/** The one of this session. */
const isOwn = ({ id }: ApiKey): boolean => {
  const { credential } = whoami.value ?? {};
  return credential !== undefined && 'key_id' in credential && credential.key_id === id;
};

const isOver = ({ expires_at }: ApiKey): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.now();

const columnsOf = (
  projects: readonly Project[] | undefined,
  onRevoke: (key: ApiKey) => void,
): readonly Column<ApiKey>[] => [
  {
    head: 'Name',
    kind: 'main',
    cell: (key) => (
      <>
        <Foreign text={key.name} />
        {isOwn(key) && <span class="case-name">this session's</span>}
      </>
    ),
  },
  { head: 'Prefix', cell: ({ key_prefix }) => <code class="id">{key_prefix}</code> },
  { head: 'Scope', cell: ({ scope }) => scope },
  {
    head: 'Project',
    cell: ({ project_id }) => (
      <Foreign text={projects || !project_id ? projectName(projects, project_id) : '…'} />
    ),
  },
  {
    head: 'Made by',
    cell: ({ created_by: by }) => (by ? <Sentence words={credentialWords(by)} /> : 'sign-up or operator'),
  },
  { head: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} isAgo /> : 'never') },
  {
    head: 'Ends',
    cell: (key) =>
      key.expires_at === null ? (
        'when revoked'
      ) : (
        <>
          {isOver(key) && <span class="state is-calm">ended</span>} <Time at={key.expires_at} />
        </>
      ),
  },
  {
    head: 'Revoke',
    kind: 'actions',
    cell: (key) => (
      <button type="button" class="quiet" onClick={() => onRevoke(key)}>
        Revoke
        <span class="hidden">
          {' '}
          <Foreign text={key.name} />
        </span>
      </button>
    ),
  },
];
