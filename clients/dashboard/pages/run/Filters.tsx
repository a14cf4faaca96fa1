import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Run } from '../../../sdk/index.ts';
import { useAction } from '../../kit/api.ts';
import { navigate, withQuery } from '../../kit/router.ts';
import { shown } from '../../kit/text.ts';
import { Choice } from '../../parts/Choice.tsx';
import { Trouble } from '../../parts/Notice.tsx';
import { grouped } from '../../parts/Pager.tsx';
import { everything, statementOf } from './data.ts';
import { csv, jsonLines } from './exports.ts';
import { passedIn, type View } from './view.ts';

interface Props {
  readonly run: Run;
  readonly view: View;
}

interface FiltersProps extends Props {
  /** That are known of the run. */
  readonly tags: readonly string[];
}

/** Which results are shown. */
export function Filters({ run, view, tags }: FiltersProps): JSX.Element {
  return (
    <div class="filters">
      <Outcomes run={run} view={view} />
      <Search view={view} />
      <Choice
        label="Tag"
        value={view.tag}
        options={tags.map((tag) => [tag, shown(tag)])}
        onValue={(tag) => navigate(withQuery({ tag, page: '' }))}
      />
      <Choice
        label="Order"
        absent="Gravest first"
        value={view.sort === 'gravity' ? '' : view.sort}
        options={ORDERS}
        onValue={(sort) => navigate(withQuery({ sort, page: '' }))}
      />
    </div>
  );
}

const outcomeHref = (outcome: View['outcome']): string =>
  withQuery({ outcome: outcome === 'failed' ? '' : outcome, page: '', case: '' });

/** Each result is in one of two; those that did not pass can be narrowed. */
function Outcomes({ run, view }: Props): JSX.Element {
  const { failed_cases, advisory_failed_cases, errored_cases, missing_cases } = run;
  const isFiltered = view.q !== undefined || view.tag !== undefined;
  const halves = [
    { outcome: 'failed', text: 'Not passed', count: failed_cases + advisory_failed_cases },
    { outcome: 'passed', text: 'Passed', count: passedIn(run) },
  ] as const;
  const parts = [
    { outcome: 'errored', text: 'unjudged', count: errored_cases },
    { outcome: 'missing', text: 'missing', count: missing_cases },
  ] as const;
  const shownParts = parts.filter(({ outcome, count }) => count > 0 || outcome === view.outcome);
  const current = (outcome: View['outcome']) => (view.outcome === outcome ? 'true' : undefined);
  return (
    <nav class="outcomes" aria-label="Results">
      <span class="segments">
        {halves.map(({ outcome, text, count }) => (
          <a key={outcome} href={outcomeHref(outcome)} aria-current={current(outcome)}>
            {text} {!isFiltered && <span>{grouped(count)}</span>}
          </a>
        ))}
      </span>
      {shownParts.length > 0 && <span class="muted">of those not passed</span>}
      {shownParts.map(({ outcome, text, count }) => (
        <a
          key={outcome}
          class="chip"
          href={outcomeHref(current(outcome) ? 'failed' : outcome)}
          aria-current={current(outcome)}
        >
          {isFiltered ? text : `${grouped(count)} ${text}`}
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

const ORDERS = [
  ['score', 'Lowest score first'],
  ['latency_ms', 'Slowest first'],
  ['total_tokens', 'Most tokens first'],
  ['cost_usd', 'Dearest first'],
] as const satisfies readonly (readonly [View['sort'], string])[];

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
