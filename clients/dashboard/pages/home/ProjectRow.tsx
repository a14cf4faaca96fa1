import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Project, Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { rememberProject } from '../../kit/kept.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { suiteColumns } from '../../parts/suites/columns.tsx';
import { useSuites } from '../../parts/suites/data.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';

interface Props {
  readonly project: Project;
  readonly isOpen: boolean;
}

/** A project; unfolded, its suites, each with its latest run. */
export function ProjectRow({ project, isOpen }: Props): JSX.Element {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  const toggle = () => {
    setUnfolded(!isUnfolded);
    if (!isUnfolded) rememberProject(project.slug);
  };
  return (
    <section class="group">
      <div class="group-head">
        <h2>
          <button type="button" class="fold" aria-expanded={isUnfolded} onClick={toggle}>
            <Foreign text={project.name} />
          </button>
        </h2>
        <a href={to.project(project.slug)}>
          Open<span class="hidden"> {project.slug}</span>
        </a>
      </div>
      {isUnfolded && <Suites project={project.slug} />}
    </section>
  );
}

const columnsOf = (project: string): readonly Column<Suite>[] => [
  ...suiteColumns(project),
  { head: 'When', cell: ({ latest_run: run }) => (run ? <Time at={run.created_at} isAgo /> : '–') },
  {
    head: 'Run',
    cell: ({ latest_run: run }) =>
      run ? (
        <a class="id" href={to.run(run.id)} title={run.id}>
          {shortRun(run.id)}
        </a>
      ) : (
        '–'
      ),
  },
];

function Suites({ project }: { readonly project: string }): JSX.Element {
  const { data, problem, reload } = useSuites(project);
  const hidden = (data?.pagination?.total ?? 0) - (data?.data.length ?? 0);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="suites" />;
  if (data.data.length === 0) {
    return (
      <p class="muted">
        No suite yet. <a href={to.project(project)}>Create one</a>, or push one with{' '}
        <code>evalgate push</code>.
      </p>
    );
  }
  return (
    <>
      <Trouble problem={problem} retry={reload} />
      <Table caption="Suites" columns={columnsOf(project)} rows={data.data} keyOf={({ id }) => id} />
      {hidden > 0 && <a href={to.project(project)}>{hidden} more</a>}
    </>
  );
}
