import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stateOf } from '../../../gate/report/types.ts';
import { to } from '../../kit/addresses.ts';
import { erase } from '../../kit/api.ts';
import { address, navigate, type PageProps, withQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { Menu } from '../../parts/Menu.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { type LatestRun, OriginAside } from '../../parts/runs/Origin.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { type SuiteProps, suitesKey, useSuite } from '../../parts/save/data.ts';
import { State } from '../../parts/Verdict.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { Bar } from './Bar.tsx';
import { Baseline } from './Baseline.tsx';
import { useTrial } from './data.ts';
import { Judges } from './Judges.tsx';
import { Regressions } from './Regressions.tsx';
import { Runs } from './Runs.tsx';
import { Trends } from './Trends.tsx';
import { TrialRefusal, TryOne } from './TryOne.tsx';
import { Warnings } from './Warnings.tsx';

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
        beside={suite?.latest_run && <Standing run={suite.latest_run} />}
        actions={suite && may.value.browse ? <Actions project={project} suite={suite} /> : undefined}
      />
      <Trouble problem={problem} retry={isMissing ? undefined : reload} />
      {!suite && !problem && <Loading what="the suite" />}
      {suite && !isMissing && <Known key={suite.id} project={project} suite={suite} />}
    </>
  );
}

/** How the suite stands. */
function Standing({ run }: { readonly run: LatestRun }): JSX.Element {
  return (
    <>
      <State state={stateOf(run)} />
      <OriginAside run={run} />
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
      <Warnings suite={suite} />
      <Bar project={project} suite={suite} />
      <Baseline project={project} suite={suite} />
      <Judges suite={suite} />
      <TrialRefusal suite={suite} />
      <Trends suite={suite} />
      <Runs project={project} suite={suite} />
      {may.value.analyse && suite.latest_run && <Regressions suite={suite} />}
    </>
  );
}

function Actions({ project, suite }: SuiteProps): JSX.Element {
  const [isDeleting, setDeleting] = useState(false);
  const canTry = useTrial(suite.id).data?.refusal === null;
  const isTrying = canTry && address.value.query.has('try');
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
          {canTry && (
            <a class="button" href={to.trial(project, suite.slug)}>
              Try one output
            </a>
          )}
          <button type="button" onClick={() => setDeleting(true)}>
            Delete suite
          </button>
        </Menu>
      )}
      {isTrying && <TryOne suite={suite} onClose={() => navigate(withQuery({ try: undefined }))} />}
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
