import type { JSX } from 'preact';
import type { ChangeEntry } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Pager } from '../../parts/Pager.tsx';
import { commitOf } from '../../parts/runs/links.ts';
import { FactText } from '../../parts/runs/Origin.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { useScorers } from '../../parts/save/data.ts';
import { Time } from '../../parts/Time.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import { useBaselines, useChanges } from './data.ts';
import { Author, Folded, OneLine } from './Lines.tsx';
import { isMember, type Row, rowsOf, wordsBy } from './rows.ts';

/** Who changed the suite, its cases and its baselines: from what, to what. */
export function Changes(props: SuiteProps): JSX.Element {
  if (!may.value.administrate) return <p class="muted">Keys of scope full see who made each change.</p>;
  return <Listed {...props} />;
}

/** Whether a case got another scorer: changes name scorers by their ids. */
const movesCase = (entry: ChangeEntry): boolean =>
  [entry, ...(entry.members?.first ?? [])].some(
    ({ action, changes }) => action === 'updated' && changes.scorer_id !== undefined,
  );

function Listed({ project, suite }: SuiteProps): JSX.Element {
  const { data, problem, reload } = useChanges(suite.id, pageIn(address.value, 'changes'));
  const entries = data?.data ?? [];
  const scorers = useScorers(project, entries.some(movesCase)).data?.data ?? [];
  const baselines = useBaselines(
    suite.id,
    1,
    entries.some(({ action }) => action === 'accepted'),
  );
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="changes" />;
  const wordsOf = wordsBy(new Map(scorers.map(({ id, key }) => [id, key])));
  const runsOf = (id: string) => baselines.data?.data.find((one) => one.id === id)?.run_ids ?? [];
  return (
    <>
      <Trouble problem={problem} retry={reload} />
      <ol class="changes" aria-label="Changes">
        {rowsOf(entries, wordsOf).map((row) => (
          <li key={row.entry.id}>
            <Changed row={row} runsOf={runsOf} pathOf={(key) => to.case(project, suite.slug, key)} />
          </li>
        ))}
      </ol>
      {data.pagination && <Pager pagination={data.pagination} noun="changes" hrefOf={toPage('changes')} />}
    </>
  );
}

interface ChangedProps extends LinesProps {
  /** Of a baseline, by its id. */
  readonly runsOf: (id: string) => readonly string[];
}

/** A sentence; below it what differs, where it is more than one case or scorer. */
function Changed({ row, runsOf, pathOf }: ChangedProps): JSX.Element {
  const { entry, lines } = row;
  const ofMember = isMember(entry.target) ? lines[0] : undefined;
  return (
    <>
      <p class="several">
        <span>
          {entry.by === null ? 'The operator of the service' : <Author credential={entry.by} />}{' '}
          {ofMember ? <OneLine line={ofMember} pathOf={pathOf} /> : <Done entry={entry} runsOf={runsOf} />}
        </span>
        <span class="muted">
          <Time at={entry.at} />
        </span>
      </p>
      {!ofMember && <Lines row={row} pathOf={pathOf} />}
    </>
  );
}

const VERBS: Readonly<Partial<Record<ChangeEntry['action'], string>>> = {
  pushed: 'pushed the suite',
  restored: 'restored what was deleted',
  reordered: 'put the cases into another order',
  removed: 'removed the baseline',
  created: 'made the suite',
  deleted: 'deleted the suite',
};

interface DoneProps extends Pick<ChangedProps, 'runsOf'> {
  readonly entry: ChangeEntry;
}

/** What was done, with the way to the run or the commit. */
function Done({ entry, runsOf }: DoneProps): JSX.Element {
  const { action, target, changes } = entry;
  if (action === 'accepted') {
    return (
      <>
        accepted <Runs ids={runsOf(target.id)} /> as the baseline
      </>
    );
  }
  if (target.type !== 'waiver') {
    return (
      <>
        {VERBS[action] ?? 'changed the suite'}
        <Pushed entry={entry} />
      </>
    );
  }
  const { run_id: run, reason } = changes;
  return (
    <>
      {action === 'waived' ? 'waived ' : 'took back the waiver of '}
      <Runs ids={[String(run?.to ?? run?.from)]} />
      {typeof reason?.to === 'string' && (
        <>
          : <Foreign text={reason.to} />
        </>
      )}
    </>
  );
}

function Runs({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  if (ids.length === 0) return <>runs</>;
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a class="id" href={to.run(id)} title={id}>
            {shortRun(id)}
          </a>
        </span>
      ))}
    </>
  );
}

/** Of a push by a job: what it was made of. */
function Pushed({ entry: { by, action } }: Pick<DoneProps, 'entry'>): JSX.Element | null {
  const commit = by && action === 'pushed' && commitOf({ created_by: by, trigger_meta: {} });
  if (!commit) return null;
  return (
    <>
      {' of '}
      <FactText fact={commit} />
    </>
  );
}

interface LinesProps {
  readonly row: Row;
  /** Of a case, by its key. */
  readonly pathOf: (key: string) => string;
}

function Lines({ row: { lines, more }, pathOf }: LinesProps): JSX.Element {
  return (
    <Folded>
      {lines.map((line, index) => (
        <OneLine key={`${index}`} line={line} pathOf={pathOf} />
      ))}
      {more > 0 && <>and {more} more</>}
    </Folded>
  );
}
