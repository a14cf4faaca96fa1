import type { JSX } from 'preact';
import { to } from '../../kit/addresses.ts';
import { lastProject } from '../../kit/kept.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Opener } from '../../parts/Confirm.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { grouped, Pager } from '../../parts/Pager.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { useProjects, useUsage } from './data.ts';
import { FirstProject, NewProject } from './NewProject.tsx';
import { ProjectRow } from './ProjectRow.tsx';
import { FindRun, RunField } from './RunField.tsx';

/** Projects with their suites and how these stand; for keys that only run gates, the way to a run. */
export function Page(): JSX.Element {
  return may.value.browse ? <Projects /> : <RunField />;
}

function Usage(): JSX.Element | null {
  const { data } = useUsage();
  if (!data) return null;
  const ofLimit = data.monthly_limit < 0 ? '' : ` of ${grouped(data.monthly_limit)}`;
  return (
    <a class="figure" href={to.settings('usage')}>
      {grouped(data.current_usage)}
      {ofLimit} runs this month
    </a>
  );
}

function Projects(): JSX.Element {
  const page = pageIn(address.value);
  const { data, problem, reload } = useProjects(page);
  const canMake = may.value.administrate && may.value.seeUsage;
  const projects = data?.data ?? [];
  const remembered = lastProject();
  const open = projects.find(({ slug }) => slug === remembered) ?? projects[0];
  return (
    <>
      <Heading
        title="Projects"
        beside={<Usage />}
        actions={
          projects.length > 0 && (
            <>
              <FindRun />
              {canMake && (
                <Opener label="New project" kind="primary">
                  {(close) => <NewProject onClose={close} />}
                </Opener>
              )}
            </>
          )
        }
      />
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="projects" />}
      {data && projects.length === 0 && page === 1 && <FirstProject canMake={canMake} />}
      <div class="groups">
        {projects.map((project) => (
          <ProjectRow key={project.id} project={project} isOpen={project === open} />
        ))}
      </div>
      {data?.pagination && <Pager pagination={data.pagination} noun="projects" hrefOf={toPage()} />}
    </>
  );
}
