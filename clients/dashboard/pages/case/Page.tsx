import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Case, Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { erase } from '../../kit/api.ts';
import { navigate, type PageProps } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { saysMore } from '../../kit/text.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { Empty, Loading, Trouble } from '../../parts/Notice.tsx';
import { Detail } from '../../parts/result/Detail.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { casesKey, suitesKey, useCase, useSuite } from '../../parts/save/data.ts';
import { Pushed } from '../../parts/save/Pushed.tsx';
import { Time } from '../../parts/Time.tsx';
import { State } from '../../parts/Verdict.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import { Content } from './Content.tsx';
import { type Outcome, useFailure, useHistory } from './data.ts';
import { EditCase } from './EditCase.tsx';
import { History, stateOfOutcome } from './History.tsx';

type Mode = 'edit' | 'delete' | undefined;

/** A case: what it holds, how it fared, and its newest failure. */
export function Page({ params: { project = '', suite: slug = '', case: key = '' } }: PageProps): JSX.Element {
  const suite = useSuite(project, slug);
  const found = useCase(suite.data?.id, key);
  const [mode, setMode] = useState<Mode>();
  const problem = suite.problem ?? found.problem;
  const canEdit = may.value.edit && found.data && mode !== 'edit';
  return (
    <>
      <Heading
        title={key}
        beside={
          found.data &&
          saysMore(found.data.name, key) && (
            <span class="muted">
              <Foreign text={found.data.name} />
            </span>
          )
        }
        crumbs={[
          { href: to.home, text: 'Projects' },
          { href: to.project(project), text: project },
          { href: to.suite(project, slug), text: suite.data?.name ?? slug },
          { href: to.cases(project, slug), text: 'Cases' },
        ]}
        actions={canEdit ? <Actions onMode={setMode} /> : undefined}
      />
      <Trouble problem={problem} retry={suite.problem ? suite.reload : found.reload} />
      {found.data === undefined && !problem && <Loading what="the case" />}
      {found.data === null && (
        <Empty title="This suite has no case with this key">
          It was deleted, or has another key by now. <a href={to.cases(project, slug)}>All cases</a>
        </Empty>
      )}
      {suite.data && found.data && (
        <Found {...{ project, suite: suite.data, found: found.data, mode, onMode: setMode }} />
      )}
    </>
  );
}

function Actions({ onMode }: { readonly onMode: (mode: Mode) => void }): JSX.Element {
  return (
    <>
      <button type="button" class="quiet" onClick={() => onMode('delete')}>
        Delete
      </button>
      <button type="button" onClick={() => onMode('edit')}>
        Edit
      </button>
    </>
  );
}

interface FoundProps {
  readonly project: string;
  readonly suite: Suite;
  readonly found: Case;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
}

function Found({ project, suite, found, mode, onMode }: FoundProps): JSX.Element {
  const edited = (key: string) => {
    onMode(undefined);
    if (key !== found.key) navigate(to.case(project, suite.slug, key), { replaces: true });
  };
  return (
    <>
      {may.value.edit && <Pushed suite={suite} />}
      {mode === 'edit' ? (
        <EditCase {...{ project, suite, found }} onDone={edited} />
      ) : (
        <Content project={project} found={found} />
      )}
      <Results found={found} />
      {mode === 'delete' && <Delete {...{ project, suite, found }} onClose={() => onMode(undefined)} />}
    </>
  );
}

function Results({ found }: { readonly found: Case }): JSX.Element {
  const { data, problem, reload } = useHistory(found);
  const newest = data?.data.find(({ passed }) => !passed);
  return (
    <>
      <section class="section">
        <h2>Results</h2>
        <Trouble problem={problem} retry={reload} />
        {!data && !problem && <Loading what="its runs" />}
        {data && <History caseKey={found.key} history={data} />}
      </section>
      {newest && <Failure found={found} outcome={newest} />}
    </>
  );
}

function Failure({ found, outcome }: { readonly found: Case; readonly outcome: Outcome }): JSX.Element {
  const { data, problem, reload } = useFailure(outcome.run_id, found.key);
  return (
    <section class="section">
      <div class="heading-row">
        <h2>Newest failure</h2>
        <State state={stateOfOutcome(outcome)} />
        <Time at={outcome.created_at} isAgo />
        <a class="id" href={to.run(outcome.run_id, found.key)} title={outcome.run_id}>
          {shortRun(outcome.run_id)}
        </a>
      </div>
      <Trouble problem={problem} retry={reload} />
      {data === null && <p class="muted">The run names the case otherwise: open the run.</p>}
      {data && (
        <>
          <p>
            <Foreign text={data.reason} />
          </p>
          <Detail result={data} isPlain={false} />
        </>
      )}
    </section>
  );
}

function Delete({
  project,
  suite,
  found,
  onClose,
}: Omit<FoundProps, 'mode' | 'onMode'> & { readonly onClose: () => void }) {
  const act = async () => {
    await erase((sdk) => sdk.cases.delete(found.id), casesKey(suite.id), suitesKey(project));
    navigate(to.cases(project, suite.slug), { replaces: true });
  };
  return (
    <Confirm title="Delete this case?" verb="Delete" isDangerous act={act} onClose={onClose}>
      <p>Its input is no longer tested, so the bar may get weaker. Runs keep its results.</p>
    </Confirm>
  );
}
