import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Project, TrustedIssuer } from '../../../../sdk/index.ts';
import { pageOf, useAnswer, write } from '../../../kit/api.ts';
import { whoami } from '../../../kit/session.ts';
import { Confirm } from '../../../parts/Confirm.tsx';
import { Snippet } from '../../../parts/Copy.tsx';
import { Empty, Loading, Trouble } from '../../../parts/Notice.tsx';
import { type Column, Table } from '../../../parts/Table.tsx';
import { Time } from '../../../parts/Time.tsx';
import { Foreign } from '../../../parts/Words.tsx';
import { ALL, projectName, useProjects } from '../data.ts';
import { Frame, maySee } from '../Frame.tsx';
import { NewRepository } from './NewRepository.tsx';
import { workflowOf } from './workflow.ts';

const REPOSITORIES = 'trusted-issuers';

/** Repositories whose jobs run gates, or push suites, without a stored key. */
export function Page(): JSX.Element {
  const isSeen = maySee('repositories');
  const { data, problem, reload } = useAnswer(isSeen ? REPOSITORIES : undefined, (sdk, options) =>
    pageOf(sdk.trustedIssuers.list(ALL, options)),
  );
  const projects = useProjects(isSeen).data?.data;
  const [isMaking, setMaking] = useState(false);
  const [ended, setEnded] = useState<TrustedIssuer>();
  return (
    <Frame
      part="repositories"
      actions={
        !isMaking && (
          <button type="button" class="primary" onClick={() => setMaking(true)}>
            Trust a repository
          </button>
        )
      }
    >
      <Trouble problem={problem} retry={reload} />
      {isMaking && <NewRepository {...{ projects, touched: REPOSITORIES }} onDone={() => setMaking(false)} />}
      {!data && !problem && <Loading what="repositories" />}
      {data?.data.length === 0 && !isMaking && (
        <Empty title="No repository is trusted">
          Trust one, and its GitHub Actions jobs run gates without a stored key.
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table
          caption="Trusted repositories"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={columnsOf(projects, setEnded)}
        />
      )}
      {data && <Workflow projects={projects} newest={data.data[0]} />}
      {ended && (
        <Confirm
          title="Remove this repository?"
          verb="Remove"
          isDangerous
          act={() => write((sdk) => sdk.trustedIssuers.delete(ended.id), REPOSITORIES)}
          onClose={() => setEnded(undefined)}
        >
          <p>
            Jobs of{' '}
            <strong>
              <Foreign text={ended.label} />
            </strong>{' '}
            get no token any more, and those that they have end at once.
          </p>
        </Confirm>
      )}
    </Frame>
  );
}

function Workflow({
  projects,
  newest,
}: {
  readonly projects: readonly Project[] | undefined;
  readonly newest: TrustedIssuer | undefined;
}): JSX.Element {
  const id = newest?.project_id ?? null;
  const project = id === null ? projects?.[0] : projects?.find((one) => one.id === id);
  const organisation = whoami.value?.organisation.id ?? '';
  return (
    <section class="section">
      <h2>The workflow</h2>
      <p>
        Save it as <code>.github/workflows/gate.yml</code> of the repository, and put in your program, the
        suite and the commit of the action.
      </p>
      <Snippet
        text={workflowOf({ url: location.origin, organisation, project: project?.slug })}
        label="Copy workflow"
      />
    </section>
  );
}

/** What a job has to be, beside of the repository. */
const conditions = (trusted: TrustedIssuer): readonly string[] =>
  [trusted.ref, trusted.environment, trusted.workflow, trusted.job_workflow_ref].filter(
    (text) => text != null,
  );

const columnsOf = (
  projects: readonly Project[] | undefined,
  onEnd: (trusted: TrustedIssuer) => void,
): readonly Column<TrustedIssuer>[] => [
  { head: 'Repository', kind: 'main', cell: ({ label }) => <Foreign text={label} /> },
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
      conditions(trusted).length === 0 ? 'any job' : <Foreign text={conditions(trusted).join(', ')} />,
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
