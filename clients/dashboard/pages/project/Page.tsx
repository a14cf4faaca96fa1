import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Project } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { rememberProject } from '../../kit/kept.ts';
import type { PageProps } from '../../kit/router.ts';
import { navigate } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Menu } from '../../parts/Menu.tsx';
import { Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { useProject } from './data.ts';
import { Scorers } from './Scorers.tsx';
import { DeleteProject, ProjectSettings } from './Settings.tsx';
import { Suites } from './Suites.tsx';

const CRUMBS = [{ href: to.home, text: 'Projects' }];

/** A project: its suites with how each stands, and its scorers. */
export function Page({ params: { project: slug = '' } }: PageProps): JSX.Element {
  return may.value.browse ? <Known key={slug} slug={slug} /> : <NoLists />;
}

/** For keys that only run gates. */
function NoLists(): JSX.Element {
  return (
    <>
      <Heading title="Project" />
      <Notice>
        This key runs gates and reads runs: it sees no list of suites. <a href={to.home}>Open a run</a>
      </Notice>
    </>
  );
}

function Known({ slug }: { readonly slug: string }): JSX.Element {
  const { data: project, problem, reload } = useProject(slug);
  const isMissing = problem?.code === 'NOT_FOUND';
  const isThere = project !== undefined;
  useEffect(() => {
    if (isThere) rememberProject(slug);
  }, [slug, isThere]);
  return (
    <>
      <Heading
        title={isMissing ? 'No such project' : (project?.name ?? slug)}
        crumbs={CRUMBS}
        actions={project && may.value.administrate ? <Actions project={project} /> : undefined}
      />
      {project?.description && (
        <p class="muted lead">
          <Foreign text={project.description} />
        </p>
      )}
      <Trouble problem={problem} retry={isMissing ? undefined : reload} />
      {!problem && !project && <Loading what="the project" />}
      {!isMissing && <Suites project={slug} />}
      {!isMissing && <Scorers project={slug} />}
    </>
  );
}

type Doing = 'settings' | 'delete';

function Actions({ project }: { readonly project: Project }): JSX.Element {
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  return (
    <>
      <Menu label="More about this project">
        <button type="button" onClick={() => setDoing('settings')}>
          Settings
        </button>
        <button type="button" onClick={() => setDoing('delete')}>
          Delete project
        </button>
      </Menu>
      {doing === 'settings' && <ProjectSettings project={project} onClose={close} />}
      {doing === 'delete' && (
        <DeleteProject project={project} onClose={close} onDeleted={() => navigate(to.home)} />
      )}
    </>
  );
}
