import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stateOf } from '../../../report/types.ts';
import { to } from '../../app/addresses.ts';
import { erase } from '../../app/api.ts';
import { navigate, type PageProps } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { Menu } from '../../parts/Menu.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { State } from '../../parts/Verdict.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { suitesKey } from '../bar/data.ts';
import { Bar } from './Bar.tsx';
import { Baseline } from './Baseline.tsx';
import { type SuiteProps, useSuite } from './data.ts';
import { Regressions } from './Regressions.tsx';
import { RunNow } from './RunNow.tsx';
import { Runs } from './Runs.tsx';
import { Trends } from './Trends.tsx';

/** A suite: its bar, how its runs came out, and what they are compared with. */
export function Page({ params }: PageProps): JSX.Element {
  const { project = '', suite: slug = '' } = params;
  const { data: suite, problem, reload } = useSuite(project, slug);
  const isMissing = problem?.code === 'NOT_FOUND';
  return (
    <>
      <Heading
        title={isMissing ? 'No such suite' : (suite?.name ?? slug)}
        crumbs={may.value.browse ? crumbsOf(project) : []}
        beside={suite?.latest_run && <State state={stateOf(suite.latest_run)} />}
        actions={suite && may.value.browse ? <Actions project={project} suite={suite} /> : undefined}
      />
      <Trouble problem={problem} retry={isMissing ? undefined : reload} />
      {!suite && !problem && <Loading what="the suite" />}
      {suite && !isMissing && <Known key={suite.id} project={project} suite={suite} />}
    </>
  );
}

const crumbsOf = (project: string) => [
  { href: to.home, text: 'Projects' },
  { href: to.project(project), text: project },
];

function Known({ project, suite }: SuiteProps): JSX.Element {
  return (
    <>
      {suite.description && (
        <p class="muted lead">
          <Foreign text={suite.description} />
        </p>
      )}
      <Bar project={project} suite={suite} />
      <Baseline project={project} suite={suite} />
      {may.value.run && <RunNow project={project} suite={suite} />}
      <Trends suite={suite} />
      <Runs project={project} suite={suite} />
      {may.value.analyse && suite.latest_run && <Regressions suite={suite} />}
    </>
  );
}

function Actions({ project, suite }: SuiteProps): JSX.Element {
  const [isDeleting, setDeleting] = useState(false);
  const remove = async () => {
    await erase((sdk) => sdk.suites.delete(project, suite.slug), suitesKey(project));
    navigate(to.project(project));
  };
  return (
    <>
      <a class="button" href={to.cases(project, suite.slug)}>
        Cases
      </a>
      <a class="button" href={to.history(project, suite.slug)}>
        History
      </a>
      {may.value.edit && (
        <Menu label="More about this suite">
          <button type="button" onClick={() => setDeleting(true)}>
            Delete suite
          </button>
        </Menu>
      )}
      {isDeleting && (
        <Confirm
          title="Delete this suite"
          verb="Delete suite"
          isDangerous
          act={remove}
          onClose={() => setDeleting(false)}
        >
          <p>
            <strong>
              <Foreign text={suite.name} />
            </strong>{' '}
            goes with its cases, baselines and runs. Gates that name it fail from then on.
          </p>
        </Confirm>
      )}
    </>
  );
}
