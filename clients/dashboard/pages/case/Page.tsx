import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Case, CasesListAnswer, Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { erase } from '../../kit/api.ts';
import { navigate, type PageProps } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { questionOf, saysMore } from '../../kit/text.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { crumbsTo } from '../../parts/crumbs.ts';
import { Empty, Loading, Trouble } from '../../parts/Notice.tsx';
import { Detail } from '../../parts/result/Detail.tsx';
import { LatestState } from '../../parts/result/LatestState.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { casesKey, suitesKey, useSuite } from '../../parts/save/data.ts';
import { Pushed } from '../../parts/save/Pushed.tsx';
import { Time } from '../../parts/Time.tsx';
import { Tags } from '../../parts/Verdict.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import { Content } from './Content.tsx';
import { type Outcome, useCase, useFailure, useHistory } from './data.ts';
import { EditCase } from './EditCase.tsx';
import { History } from './History.tsx';
import { JudgedBy } from './JudgedBy.tsx';

type Mode = 'edit' | 'delete' | undefined;

/** A case: what it holds, how it fared, and its newest failure. */
export function Page({ params: { project = '', suite: slug = '', case: key = '' } }: PageProps): JSX.Element {
  const suite = useSuite(project, slug);
  const caseQuery = useCase(suite.data?.id, key);
  const [mode, setMode] = useState<Mode>();
  const problem = suite.problem ?? caseQuery.problem;
  const canEdit = may.value.edit && caseQuery.data && mode !== 'edit';
  return (
    <>
      <Heading
        title={key}
        beside={caseQuery.data && <Beside evalCase={caseQuery.data} />}
        crumbs={[
          ...crumbsTo(project, { slug, name: suite.data?.name }),
          { href: to.cases(project, slug), text: 'Cases' },
        ]}
        actions={canEdit ? <Actions onMode={setMode} /> : undefined}
      />
      <Trouble problem={problem} retry={suite.problem ? suite.reload : caseQuery.reload} />
      {caseQuery.data === undefined && !problem && <Loading what="the case" />}
      {caseQuery.data === null && (
        <Empty title="This suite has no case with this key">
          It was deleted, or has another key by now. <a href={to.cases(project, slug)}>All cases</a>
        </Empty>
      )}
      {suite.data && caseQuery.data && (
        <Found {...{ project, suite: suite.data, evalCase: caseQuery.data, mode, onMode: setMode }} />
      )}
    </>
  );
}

/** Its name, how it fares now, and its tags. */
function Beside({ evalCase }: Pick<FoundProps, 'evalCase'>): JSX.Element {
  const { name, key, tags, input } = evalCase;
  return (
    <>
      {saysMore(name, key) && saysMore(name, questionOf(input)) && (
        <span class="muted">
          <Foreign text={name} />
        </span>
      )}
      <LatestState evalCase={evalCase} />
      <Tags tags={tags} />
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
  readonly evalCase: CasesListAnswer;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
}

function Found({ project, suite, evalCase, mode, onMode }: FoundProps): JSX.Element {
  const failing = failingIn(evalCase);
  const failure = useFailure(failing?.run_id, evalCase.key);
  const edited = (key: string) => {
    onMode(undefined);
    if (key !== evalCase.key) navigate(to.case(project, suite.slug, key), { replaces: true });
  };
  return (
    <>
      {may.value.edit && <Pushed suite={suite} />}
      {mode === 'edit' ? (
        <EditCase {...{ project, suite, evalCase }} onDone={edited} />
      ) : (
        <Content evalCase={evalCase} hidesExpected={typeof failure.data?.expected_excerpt === 'string'} />
      )}
      <Results evalCase={evalCase} />
      <JudgedBy project={project} evalCase={evalCase} />
      {mode === 'delete' && <Delete {...{ project, suite, evalCase }} onClose={() => onMode(undefined)} />}
    </>
  );
}

/** Its outcome in the last run, where that did not pass it. */
const failingIn = ({ latest_outcome: latest }: CasesListAnswer): Outcome | undefined =>
  latest?.passed === false ? latest : undefined;

/** Of a case that fails now why; of another one its latest runs. The rest is asked for when it is unfolded. */
function Results({ evalCase }: { readonly evalCase: CasesListAnswer }): JSX.Element {
  const failing = failingIn(evalCase);
  const [isOpen, setOpen] = useState(failing === undefined);
  const { data, problem, reload } = useHistory(evalCase, isOpen);
  return (
    <>
      {failing && <Failure evalCase={evalCase} outcome={failing} />}
      <details class="section" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <h2>Latest runs</h2>
        </summary>
        <Trouble problem={problem} retry={reload} />
        {isOpen && !data && !problem && <Loading what="its runs" />}
        {data && <History caseKey={evalCase.key} history={data} />}
      </details>
    </>
  );
}

interface FailureProps {
  readonly evalCase: Case;
  readonly outcome: Outcome;
}

function Failure({ evalCase, outcome }: FailureProps): JSX.Element {
  const { data, problem, reload } = useFailure(outcome.run_id, evalCase.key);
  return (
    <section class="section">
      <div class="heading-row">
        <h2>Newest failure</h2>
        <Time at={outcome.created_at} isAgo />
        <a class="id" href={to.run(outcome.run_id, evalCase.key)} title={outcome.run_id}>
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
  evalCase,
  onClose,
}: Omit<FoundProps, 'mode' | 'onMode'> & { readonly onClose: () => void }) {
  const act = async () => {
    await erase((sdk) => sdk.cases.delete(evalCase.id), casesKey(suite.id), suitesKey(project));
    navigate(to.cases(project, suite.slug), { replaces: true });
  };
  return (
    <Confirm title="Delete this case?" verb="Delete" isDangerous act={act} onClose={onClose}>
      <p>Its input is no longer tested, so the bar may get weaker. Runs keep its results.</p>
    </Confirm>
  );
}
