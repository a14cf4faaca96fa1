import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Run } from '../../../sdk/index.ts';
import { useAction } from '../../kit/api.ts';
import { navigate, withQuery } from '../../kit/router.ts';
import { shown } from '../../kit/text.ts';
import { Trouble } from '../../parts/Notice.tsx';
import { grouped } from '../../parts/Pager.tsx';
import { everything } from './data.ts';
import { csv, jsonLines } from './exports.ts';
import type { View } from './view.ts';

interface Props {
  readonly run: Run;
  readonly view: View;
  /** Of the results that were read. */
  readonly tags: readonly string[];
}

/** Which results are shown. */
export function Filters({ run, view, tags }: Props): JSX.Element {
  return (
    <div class="filters">
      <Outcomes run={run} view={view} />
      <Search view={view} />
      <Tag view={view} tags={tags} />
      <Sort view={view} />
    </div>
  );
}

function Outcomes({ run, view }: Omit<Props, 'tags'>): JSX.Element {
  const { failed_cases, advisory_failed_cases, errored_cases, missing_cases } = run;
  const passed = run.passed_cases + run.advisory_cases - advisory_failed_cases;
  const isFiltered = view.q !== undefined || view.tag !== undefined;
  const outcomes = [
    { outcome: 'failed', text: 'Not passed', count: failed_cases + advisory_failed_cases, isShown: true },
    { outcome: 'errored', text: 'Unjudged', count: errored_cases, isShown: errored_cases > 0 },
    { outcome: 'missing', text: 'Missing', count: missing_cases, isShown: missing_cases > 0 },
    { outcome: 'passed', text: 'Passed', count: passed, isShown: true },
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

const PAUSE_MS = 300;

/** Over the whole run, when the reader stops typing. */
function Search({ view }: { readonly view: View }): JSX.Element {
  const [text, setText] = useState(view.q ?? '');
  const typed = useRef(view.q ?? '');
  useEffect(() => {
    // The address changed by itself, such as by Back.
    if ((view.q ?? '') === typed.current) return;
    typed.current = view.q ?? '';
    setText(typed.current);
  }, [view.q]);
  useEffect(() => {
    if (text.trim() === typed.current) return;
    const timer = setTimeout(() => {
      const replaces = typed.current !== '';
      typed.current = text.trim();
      navigate(withQuery({ q: typed.current, page: undefined }), { replaces });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      class="search"
      aria-label="Search names, keys and reasons of the run"
      placeholder="Search the run"
      maxLength={200}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

/** A page of 100 results may have 2,000 tags. */
const TAGS_SHOWN = 300;

function Tag({ view, tags }: Omit<Props, 'run'>): JSX.Element | null {
  const known = [...new Set([...(view.tag ? [view.tag] : []), ...tags])].slice(0, TAGS_SHOWN).sort();
  if (known.length === 0) return null;
  return (
    <select
      aria-label="Tag"
      value={view.tag ?? ''}
      onChange={({ currentTarget }) => navigate(withQuery({ tag: currentTarget.value, page: undefined }))}
    >
      <option value="">All tags</option>
      {known.map((tag) => (
        <option key={tag} value={tag}>
          {shown(tag)}
        </option>
      ))}
    </select>
  );
}

const SORTED: Readonly<Record<View['sort'], string>> = {
  gravity: 'Gravest first',
  score: 'Lowest score first',
  latency_ms: 'Slowest first',
  total_tokens: 'Most tokens first',
  cost_usd: 'Dearest first',
};

/** Where there is no room for the heads of the table. */
function Sort({ view }: { readonly view: View }): JSX.Element {
  const sortBy = (sort: string) => navigate(withQuery({ sort: sort === 'gravity' ? '' : sort, page: '' }));
  return (
    <select
      class="sort"
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
export function Exports({ run, view }: { readonly run: string; readonly view: View }): JSX.Element {
  const id = useId();
  const action = useAction();
  const take = (write: typeof csv, ending: string, type: string) =>
    void action.run(async () => save(write((await everything(run, view)).data), `${run}.${ending}`, type));
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
      <Trouble problem={action.problem} />
    </fieldset>
  );
}
