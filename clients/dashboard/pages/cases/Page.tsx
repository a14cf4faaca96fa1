import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { address, type PageProps, withQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { crumbsTo } from '../../parts/crumbs.ts';
import { Empty, Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { grouped, Pager } from '../../parts/Pager.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { useScorers, useSuite } from '../../parts/save/data.ts';
import { Pushed } from '../../parts/save/Pushed.tsx';
import { PAGE_SIZE } from '../../parts/save/pages.ts';
import { Foreign } from '../../parts/Words.tsx';
import { CaseTable } from './CaseTable.tsx';
import {
  gatingWeight,
  type Loaded,
  loadedCount,
  useAllCases,
  useCases,
  useChanges,
  useOriginal,
} from './data.ts';
import { Filters } from './Filters.tsx';
import { failingFirst, filtered, isFiltered } from './filter.ts';
import { type CasesProps, Making, type Mode } from './Making.tsx';
import { Order } from './Order.tsx';

/** The cases of a suite: what is asked, and how each counts. */
export function Page({ params: { project = '', suite: slug = '' } }: PageProps): JSX.Element {
  const { data: suite, problem, reload } = useSuite(project, slug);
  const scorers = useScorers(project);
  const [mode, setMode] = useState<Mode>();
  return (
    <>
      <Heading
        title="Cases"
        crumbs={crumbsTo(project, { slug, name: suite?.name })}
        actions={suite && may.value.edit && mode !== 'order' ? <Actions onMode={setMode} /> : undefined}
      />
      <Trouble problem={problem ?? scorers.problem} retry={problem ? reload : scorers.reload} />
      {suite && scorers.data ? (
        <Cases {...{ project, suite, scorers: scorers.data.data, mode, onMode: setMode }} />
      ) : (
        !problem && !scorers.problem && <Loading what="cases" />
      )}
    </>
  );
}

function Actions({ onMode }: { readonly onMode: (mode: Mode) => void }): JSX.Element {
  return (
    <>
      <button type="button" onClick={() => onMode('order')}>
        Change the order
      </button>
      <button type="button" class="primary" onClick={() => onMode('new')}>
        New case
      </button>
    </>
  );
}

/** What is asked for: a page, or all pages. */
function useLoaded(suite: Suite, mode: Mode) {
  const { query } = address.value;
  const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
  const isAll = query.has('all') || mode === 'order';
  const onePage = useCases(isAll ? undefined : suite.id, page);
  const all = useAllCases(isAll ? suite.id : undefined);
  return { page, isAll, ...(isAll ? all : onePage) };
}

function Cases({ project, suite, scorers, mode, onMode }: CasesProps): JSX.Element {
  const { page, isAll, data, problem, reload } = useLoaded(suite, mode);
  // At the same time as the list.
  useOriginal(suite.id);
  if (!data && problem) return <Trouble problem={problem} retry={reload} />;
  if (!data)
    return <Loading what={isAll && loadedCount.value > 0 ? `cases: ${loadedCount.value} so far` : 'cases'} />;
  if (mode === 'order')
    return <Order {...{ project, suite, cases: data.cases }} onDone={() => onMode(undefined)} />;
  return (
    <>
      <Trouble problem={problem} retry={reload} />
      {may.value.edit && <Pushed suite={suite} />}
      <Made suite={suite} project={project} />
      <Making {...{ project, suite, scorers, mode, onMode }} isFirst={data.total === 0} />
      {data.total > 0 && <Listed {...{ project, suite, scorers, data, page, isAll }} />}
    </>
  );
}

/** After a case was added: the way on. */
function Made({ project, suite }: Pick<CasesProps, 'project' | 'suite'>): JSX.Element | null {
  const key = address.value.query.get('made');
  if (!key) return null;
  return (
    <Notice tone="info" title="Added.">
      Open{' '}
      <a href={to.case(project, suite.slug, key)}>
        <Foreign text={key} />
      </a>
      , or <a href={to.trial(project, suite.slug)}>try the suite</a>.
    </Notice>
  );
}

interface ListedProps extends Omit<CasesProps, 'mode' | 'onMode'> {
  readonly data: Loaded;
  readonly page: number;
  readonly isAll: boolean;
}

function Listed({ project, suite, scorers, data, page, isAll }: ListedProps): JSX.Element {
  const { cases, total } = data;
  const isComplete = isAll || total <= cases.length;
  const changes = useChanges(suite, cases);
  const listed = failingFirst(filtered(cases, address.value.query), changes);
  return (
    <section>
      <Filters {...{ cases, scorers }} />
      {!isComplete && isFiltered(address.value.query) && (
        <p class="hint">
          Only this page was looked through.{' '}
          <a href={withQuery({ all: '1', page: undefined })}>Look through all {grouped(total)}</a>
        </p>
      )}
      {listed.length === 0 ? (
        <Empty title="No case matches">
          Take a filter away{isComplete ? '' : ', or look through all pages'}.
        </Empty>
      ) : (
        <CaseTable
          {...{ project, suite: suite.slug, cases: listed, scorers, changes }}
          weight={isComplete ? gatingWeight(cases) : undefined}
        />
      )}
      {isComplete ? (
        <p class="hint">
          {listed.length === total
            ? `${grouped(total)} in all`
            : `${grouped(listed.length)} of ${grouped(total)}`}
        </p>
      ) : (
        <>
          <Pager
            noun="cases"
            pagination={{ page, pageSize: PAGE_SIZE, total, hasMore: page * PAGE_SIZE < total }}
            hrefOf={(number) => withQuery({ page: number === 1 ? undefined : `${number}` })}
          />
          <a href={withQuery({ all: '1', page: undefined })}>
            All pages, with each case's share of the weight
          </a>
        </>
      )}
    </section>
  );
}
