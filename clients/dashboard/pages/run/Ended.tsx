import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Page, Run, RunResult } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { withQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Empty, Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { grouped, Pager } from '../../parts/Pager.tsx';
import { useRunResult } from '../../parts/runs/data.ts';
import { Foreign } from '../../parts/Words.tsx';
import { useComparison, useResults } from './data.ts';
import { Exports, Filters } from './Filters.tsx';
import { Keys, type Shortcuts } from './Keys.tsx';
import { moveFocus, openCase, Results } from './Results.tsx';
import { Verdict } from './Verdict.tsx';
import { type Group, groupsOf, isUnfiltered, type Listing, passedIn, type View } from './view.ts';

interface RunProps {
  readonly run: Run;
  readonly view: View;
}
type Listed = Omit<Listing, 'caption' | 'groups'>;

/** Which case is open: the one of the address, else the first, until the reader closes it. */
function useOpened(view: View, groups: readonly Group[]) {
  const [isClosed, setClosed] = useState(false);
  const openedHere = useRef<string | undefined>(undefined);
  const [first] = groups;
  const isFirstShown = isUnfiltered(view) && first?.reason === undefined;
  const opened = view.opened ?? (isFirstShown && !isClosed ? first?.results[0]?.key : undefined);
  const isLinked = view.opened !== undefined && view.opened !== openedHere.current;
  const onOpen = (key: string | undefined) => {
    setClosed(key === undefined);
    openedHere.current = key;
    openCase(key);
  };
  return { opened, isLinked, onOpen };
}

/** That gates, the address and the results read so far name: none is lost while another one filters. */
function useTags({ verdict }: Run, { tag }: View, results: readonly RunResult[]): readonly string[] {
  const known = useRef(new Set<string>());
  const gated = (verdict?.gates ?? []).flatMap(({ gate }) => /^tag:(.+)$/s.exec(gate)?.[1] ?? []);
  for (const name of [...gated, ...(tag ? [tag] : []), ...results.flatMap(({ tags }) => tags)])
    known.current.add(name);
  return [...known.current].sort();
}

const anotherLikeIn = ({ suite }: Run): Listed['anotherLike'] =>
  may.value.edit && suite ? (key) => to.cases(suite.project_slug, suite.slug, key) : undefined;

/** Keys that act on the case which has the focus, or is open. */
const shortcutsOf = (
  run: string,
  { opened: linked }: View,
  { opened }: Pick<Listed, 'opened'>,
  togglePlain: () => void,
): Shortcuts => ({
  j: () => moveFocus(1, linked),
  k: () => moveFocus(-1, linked),
  d: togglePlain,
  c: () => {
    const key = document.activeElement?.getAttribute('data-key') ?? opened;
    if (key) void navigator.clipboard.writeText(`${location.origin}${to.run(run, key)}`);
  },
  '/': () => document.querySelector<HTMLInputElement>('.search')?.focus(),
});

/** The verdict of a run that ended, and its results. */
export function Ended({ run, view }: RunProps): JSX.Element {
  const { data: page, problem, reload } = useResults(run.id, view);
  const results = page?.data ?? [];
  const { changes, comparisonAnswer, ...comparison } = useComparison(run, results);
  const tags = useTags(run, view, results);
  const [isPlain, setPlain] = useState(false);
  const groups = groupsOf(results, view, changes);
  const open = useOpened(view, groups);
  const listing = { changes, ...open, anotherLike: anotherLikeIn(run), isPlain };
  return (
    <>
      <Verdict report={{ run, results, isComplete: false }} comparisonAnswer={comparisonAnswer} />
      <Trouble problem={comparison.problem} retry={comparison.reload} />
      <section aria-label="Results">
        <Filters run={run} view={view} tags={tags} />
        <Trouble problem={problem} retry={reload} />
        {page ? <Shown run={run} view={view} page={page} groups={groups} listing={listing} /> : null}
        {!page && !problem && <Loading what="results" />}
        {view.outcome === 'failed' && <Passed run={run} />}
        <div class="aside">
          <Exports run={run} view={view} />
          <Keys shortcuts={shortcutsOf(run.id, view, open, () => setPlain(!isPlain))} />
        </div>
      </section>
    </>
  );
}

interface ShownProps extends RunProps {
  readonly page: Page<RunResult>;
  readonly groups: readonly Group[];
  readonly listing: Listed;
}

/** A page of results, and the case of the link where it is not among them. */
function Shown({ run, view, page, groups, listing }: ShownProps): JSX.Element {
  const { opened } = view;
  const isElsewhere = opened !== undefined && !page.data.some(({ key }) => key === opened);
  return (
    <>
      {isElsewhere && <Elsewhere run={run.id} caseKey={opened} listing={listing} />}
      {page.data.length === 0 && <None view={view} run={run} />}
      {page.data.length > 0 && <Results caption="Results" groups={groups} {...listing} />}
      {page.pagination && (
        <Pager
          pagination={page.pagination}
          noun="results"
          hrefOf={(number) => withQuery({ page: number === 1 ? undefined : `${number}`, case: undefined })}
        />
      )}
    </>
  );
}

function None({ view, run }: RunProps): JSX.Element {
  if (view.page > 1) {
    return (
      <Empty title="Nothing is on this page.">
        <a href={withQuery({ page: undefined })}>The first page</a>
      </Empty>
    );
  }
  const isFiltered = view.q !== undefined || view.tag !== undefined;
  if (isFiltered) {
    return (
      <Empty title="No result matches.">
        <a href={withQuery({ q: undefined, tag: undefined, page: undefined })}>Without search and tag</a>
      </Empty>
    );
  }
  if (view.outcome !== 'failed') return <Empty title="There are none." />;
  return <Empty title={run.passed_cases > 0 ? 'Every case passed.' : 'The run ended without results.'} />;
}

/** A case that a link names, whatever the filter and the page show. */
function Elsewhere(props: {
  readonly run: string;
  readonly caseKey: string;
  readonly listing: Listed;
}): JSX.Element {
  const { data, problem, reload } = useRunResult(props.run, props.caseKey);
  if (problem) return <Trouble problem={problem} retry={reload} />;
  if (data === undefined) return <Loading what="the case" />;
  if (data === null) {
    return (
      <Notice tone="warning">
        This run has no case{' '}
        <code>
          <Foreign text={props.caseKey} />
        </code>
        .
      </Notice>
    );
  }
  return (
    <div class="elsewhere">
      <Notice>
        The case of the link is not among the results below: the filter or the page leaves it out.
      </Notice>
      <Results caption="The case of the link" groups={[{ results: [data] }]} {...props.listing} />
    </div>
  );
}

/** Behind those that did not pass. */
function Passed({ run }: { readonly run: Run }): JSX.Element | null {
  const count = passedIn(run);
  if (count === 0) return null;
  return (
    <p class="passed">
      <a href={withQuery({ outcome: 'passed', case: '', page: '' })}>{grouped(count)} passed</a>
    </p>
  );
}
