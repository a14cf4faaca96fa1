import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { to } from '../../kit/addresses.ts';
import { erase } from '../../kit/api.ts';
import { address, navigate, type PageProps, withQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { crumbsTo } from '../../parts/crumbs.ts';
import { Menu } from '../../parts/Menu.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { type SuiteProps, suitesKey, useSuite } from '../../parts/save/data.ts';
import { Foreign } from '../../parts/Words.tsx';
import { Bar } from './Bar.tsx';
import { DefaultBranch } from './DefaultBranch.tsx';
import { Judges } from './Judges.tsx';
import { PassRate } from './PassRate.tsx';
import { Reliability } from './Reliability.tsx';
import { Runs } from './Runs.tsx';
import { TryOne } from './TryOne.tsx';
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
        crumbs={crumbsTo(project)}
        actions={suite && may.value.browse ? <Actions project={project} suite={suite} /> : undefined}
      />
      <Trouble problem={problem} retry={isMissing ? undefined : reload} />
      {!suite && !problem && <Loading what="the suite" />}
      {suite && !isMissing && <Known key={suite.id} project={project} suite={suite} />}
    </>
  );
}

function Known({ project, suite }: SuiteProps): JSX.Element {
  return (
    <>
      {suite.description && (
        <p class="muted lead">
          <Foreign text={suite.description} />
        </p>
      )}
      <DefaultBranch project={project} suite={suite} />
      <Warnings suite={suite} />
      <Bar project={project} suite={suite} />
      <Reliability suite={suite} />
      <Judges suite={suite} />
      <PassRate suite={suite} />
      <Runs project={project} suite={suite} />
    </>
  );
}

function Actions({ project, suite }: SuiteProps): JSX.Element {
  const [isDeleting, setDeleting] = useState(false);
  const isTrying = may.value.edit && address.value.query.has('try');
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
      <Menu label="More about this suite">
        {may.value.edit && (
          <a class="button" href={to.trial(project, suite.slug)}>
            Try one output
          </a>
        )}
        <a class="button" href={withQuery({ judges: '1' })}>
          Check of its judges
        </a>
        {may.value.edit && (
          <button type="button" onClick={() => setDeleting(true)}>
            Delete suite
          </button>
        )}
      </Menu>
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
