import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { jobSnippet } from '../../../../gate/report/idTokens.ts';
import { CI_NAMES } from '../../../../gate/report/review/credential.ts';
import type { Project, TrustedIssuer } from '../../../../sdk/index.ts';
import { pageOf, useAnswer, write } from '../../../kit/api.ts';
import { whoami } from '../../../kit/session.ts';
import { Confirm, Opener } from '../../../parts/Confirm.tsx';
import { Snippet } from '../../../parts/Copy.tsx';
import { Empty, Loading, Trouble } from '../../../parts/Notice.tsx';
import { type Column, Table } from '../../../parts/Table.tsx';
import { Time } from '../../../parts/Time.tsx';
import { Foreign } from '../../../parts/Words.tsx';
import { ALL, projectName, useProjects } from '../data.ts';
import { Frame, maySee } from '../Frame.tsx';
import { NewIssuer } from './NewIssuer.tsx';
import { workflowOf } from './workflow.ts';

const ISSUERS = 'trusted-issuers';

/** Issuers whose jobs run gates, or push suites, without a stored key, and whose persons sign in. */
export function Page(): JSX.Element {
  const isSeen = maySee('issuers');
  const { data, problem, reload } = useAnswer(isSeen ? ISSUERS : undefined, (sdk, options) =>
    pageOf(sdk.trustedIssuers.list(ALL, options)),
  );
  const projects = useProjects(isSeen).data?.data;
  const [ended, setEnded] = useState<TrustedIssuer>();
  return (
    <Frame
      part="issuers"
      actions={
        <Opener label="New trusted issuer" kind="primary">
          {(close) => <NewIssuer {...{ projects, touched: ISSUERS }} onClose={close} />}
        </Opener>
      }
    >
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="issuers" />}
      {data?.data.length === 0 && (
        <Empty title="No issuer is trusted">
          Trust a repository at GitHub, or jobs of another CI system: they run gates without a stored key. Or
          trust persons, who then sign in with the organisation's provider.
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table
          caption="Trusted issuers"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={columnsOf(projects, setEnded)}
        />
      )}
      {data &&
        newestOfEach(data.data.filter((one) => one.for === 'jobs')).map((newest) => (
          <Job key={newest.provider} {...{ projects, newest }} />
        ))}
      {ended && (
        <Confirm
          title="Trust it no more?"
          verb="Remove"
          isDangerous
          act={() => write((sdk) => sdk.trustedIssuers.delete(ended.id), ISSUERS)}
          onClose={() => setEnded(undefined)}
        >
          <p>
            {ended.for === 'persons' ? 'Persons of' : 'Jobs of'}{' '}
            <strong>
              <Foreign text={ended.label} />
            </strong>{' '}
            {ended.for === 'persons'
              ? 'are signed out at once, and so are their command lines. By another registration that fits they may sign in again.'
              : 'get no token any more, and those that they have end at once.'}
          </p>
        </Confirm>
      )}
    </Frame>
  );
}

type Newest = Pick<TrustedIssuer, 'provider' | 'project_id'>;

/** Of each system the newest registration; where there is none, what GitHub would need. */
function newestOfEach(issuers: readonly TrustedIssuer[]): readonly Newest[] {
  const newest = Map.groupBy(issuers, ({ provider }) => provider);
  if (newest.size === 0) return [{ provider: 'github', project_id: null }];
  return [...newest.values()].flatMap(([first]) => first ?? []);
}

interface JobProps {
  readonly projects: readonly Project[] | undefined;
  readonly newest: Newest;
}

/** What a job needs, to be copied. */
function Job({ projects, newest: { provider, project_id: id } }: JobProps): JSX.Element {
  const project = id === null ? projects?.[0] : projects?.find((one) => one.id === id);
  const place = { url: location.origin, organisation: whoami.value?.organisation.id ?? '' };
  const isGithub = provider === 'github';
  return (
    <section class="section">
      <h2>
        {isGithub
          ? 'The workflow'
          : `A job of ${provider === 'other' ? 'another system' : CI_NAMES[provider]}`}
      </h2>
      <p>
        {isGithub ? (
          <>
            Save it as <code>.github/workflows/gate.yml</code> of the repository, and put in your program, the
            suite and the commit of the action.
          </>
        ) : (
          <>
            The command line is the package at <code>{place.url}/client/evalgate.tgz</code>; put in your
            suite.
          </>
        )}
      </p>
      <Snippet
        text={isGithub ? workflowOf({ ...place, project: project?.slug }) : jobSnippet(provider, place)}
        label={isGithub ? 'Copy workflow' : 'Copy job'}
      />
    </section>
  );
}

/** What a job has to be, beside of the repository. */
const conditionsOf = (trusted: TrustedIssuer): readonly string[] =>
  trusted.claims === null
    ? [trusted.ref, trusted.environment, trusted.workflow, trusted.job_workflow_ref].filter(
        (text) => text != null,
      )
    : Object.entries(trusted.claims).map(([name, allowed]) => `${name} ${[allowed].flat().join(' or ')}`);

const anyOf = (trusted: TrustedIssuer): string => (trusted.for === 'persons' ? 'everyone' : 'any job');

const systemOf = ({ provider, issuer }: TrustedIssuer): string =>
  provider === 'other' ? (URL.parse(issuer)?.host ?? issuer) : CI_NAMES[provider];

const columnsOf = (
  projects: readonly Project[] | undefined,
  onEnd: (trusted: TrustedIssuer) => void,
): readonly Column<TrustedIssuer>[] => [
  { head: 'Trusted', kind: 'main', cell: ({ label }) => <Foreign text={label} /> },
  { head: 'System', cell: (trusted) => <Foreign text={systemOf(trusted)} /> },
  { head: 'Scope', cell: ({ scope }) => scope },
  {
    head: 'Project',
    cell: ({ project_id }) => (
      <Foreign text={projects || !project_id ? projectName(projects, project_id) : '…'} />
    ),
  },
  {
    head: 'Only',
    cell: (trusted) =>
      conditionsOf(trusted).length === 0 ? (
        anyOf(trusted)
      ) : (
        <Foreign text={conditionsOf(trusted).join(', ')} />
      ),
  },
  { head: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} isAgo /> : 'never') },
  {
    head: 'Remove',
    kind: 'actions',
    cell: (trusted) => (
      <button type="button" class="quiet" onClick={() => onEnd(trusted)}>
        Remove<span class="hidden"> {trusted.label}</span>
      </button>
    ),
  },
];
