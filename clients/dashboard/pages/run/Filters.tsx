import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Run } from '../../../sdk/index.ts';
import { useAction } from '../../kit/api.ts';
import { navigate, withQuery } from '../../kit/router.ts';
import { shown } from '../../kit/text.ts';
import { Trouble } from '../../parts/Notice.tsx';
import { grouped } from '../../parts/Pager.tsx';
import { everything, statementOf } from './data.ts';
import { csv, jsonLines } from './exports.ts';
import { passedIn, type View } from './view.ts';

interface Props {
  readonly run: Run;
  readonly view: View;
}

/** Which results are shown. */
export function Filters({ run, view }: Props): JSX.Element {
  return (
    <div class="filters">
      <Outcomes run={run} view={view} />
      <Search view={view} />
      {view.tag && (
        <a class="tag" dir="auto" title="Of all tags" href={withQuery({ tag: '', page: '' })}>
          {shown(view.tag)} ✗
        </a>
      )}
      <Sort view={view} />
    </div>
  );
}

function Outcomes({ run, view }: Props): JSX.Element {
  const { failed_cases, advisory_failed_cases, errored_cases, missing_cases } = run;
  const isFiltered = view.q !== undefined || view.tag !== undefined;
  const outcomes = [
    { outcome: 'failed', text: 'Not passed', count: failed_cases + advisory_failed_cases, isShown: true },
    { outcome: 'errored', text: 'Unjudged', count: errored_cases, isShown: errored_cases > 0 },
    { outcome: 'missing', text: 'Missing', count: missing_cases, isShown: missing_cases > 0 },
    { outcome: 'passed', text: 'Passed', count: passedIn(run), isShown: true },
  ] as const;
  return (
    <nav class="segments" aria-label="Results">
      {outcomes
        .filter(({ isShown, outcome }) => isShown || view.outcome === outcome)
        .map(({ outcome, text, count }) => (
          <a
            key={outcome}
            href={withQuery({
              outcome: outcome === 'failed' ? undefined : outcome,
              page: undefined,
              case: undefined,
            })}
            aria-current={view.outcome === outcome ? 'true' : undefined}
          >
            {text} {!isFiltered && <span class="muted">{grouped(count)}</span>}
          </a>
        ))}
    </nav>
  );
}

/** Over the whole run. */
function Search({ view: { q = '' } }: Pick<Props, 'view'>): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.value = q;
  }, [q]);
  return (
    <input
      ref={input}
      type="search"
      class="search"
      aria-label="Search names, keys and reasons of the run"
      placeholder="Search the run"
      maxLength={200}
      onChange={({ currentTarget }) => navigate(withQuery({ q: currentTarget.value.trim(), page: '' }))}
    />
  );
}

const SORTED: Readonly<Record<View['sort'], string>> = {
  gravity: 'Gravest first',
  score: 'Lowest score first',
  latency_ms: 'Slowest first',
  total_tokens: 'Most tokens first',
  cost_usd: 'Dearest first',
};

function Sort({ view }: Pick<Props, 'view'>): JSX.Element {
  const sortBy = (sort: string) => navigate(withQuery({ sort: sort === 'gravity' ? '' : sort, page: '' }));
  return (
    <select
      aria-label="Order"
      value={view.sort}
      onChange={({ currentTarget }) => sortBy(currentTarget.value)}
    >
      {Object.entries(SORTED).map(([sort, words]) => (
        <option key={sort} value={sort}>
          {words}
        </option>
      ))}
    </select>
  );
}

function save(text: string, name: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** Takes along what is shown. */
export function Exports({
  run: { id: run, status },
  view,
}: {
  readonly run: Run;
  readonly view: View;
}): JSX.Element {
  const id = useId();
  const action = useAction();
  const take = (write: typeof csv, ending: string, type: string) =>
    void action.run(async () => save(write((await everything(run, view)).data), `${run}.${ending}`, type));
  const takeStatement = () =>
    void action.run(async () =>
      save(JSON.stringify(await statementOf(run)), `${run}.statement.json`, 'application/json'),
    );
  return (
    <fieldset class="exports" aria-describedby={id} disabled={action.isBusy}>
      <legend class="hidden" id={id}>
        Export all results of this filter
      </legend>
      <button type="button" class="quiet" onClick={() => take(jsonLines, 'jsonl', 'application/jsonl')}>
        Export JSONL
      </button>
      <button type="button" class="quiet" onClick={() => take(csv, 'csv', 'text/csv')}>
        Export CSV
      </button>
      {status === 'cleared' && (
        <button type="button" class="quiet" onClick={takeStatement}>
          Download statement
        </button>
      )}
      <Trouble problem={action.problem} />
    </fieldset>
  );
}
