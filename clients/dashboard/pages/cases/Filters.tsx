import type { JSX } from 'preact';
import type { Case, Scorer } from '../../../sdk/index.ts';
import { address, navigate, withQuery } from '../../kit/router.ts';
import { shown } from '../../kit/text.ts';
import { Choice } from '../../parts/Choice.tsx';
import { FILTERS, isFiltered, KINDS, tagsOf } from './filter.ts';

const go = (fields: Readonly<Record<string, string | undefined>>): void =>
  navigate(withQuery(fields), { replaces: true });

interface Props {
  readonly cases: readonly Case[];
  readonly scorers: readonly Scorer[];
}

/** They look into what is loaded. */
export function Filters({ cases, scorers }: Props): JSX.Element {
  const { query } = address.value;
  const used = new Set(cases.map(({ scorer_id }) => scorer_id));
  const of = (name: string) => ({
    value: query.get(name) ?? undefined,
    onValue: (value: string | undefined) => go({ [name]: value }),
  });
  return (
    <search class="filters">
      <input
        type="search"
        class="search"
        aria-label="Search keys, names and questions"
        placeholder="Search cases"
        value={query.get('q') ?? ''}
        onInput={({ currentTarget }) => go({ q: currentTarget.value || undefined })}
      />
      <Choice {...of('tag')} label="Tag" options={tagsOf(cases).map((tag) => [tag, shown(tag)])} />
      <Choice
        {...of('scorer')}
        label="Scorer"
        options={scorers.filter(({ id }) => used.has(id)).map(({ id, name }) => [id, shown(name)])}
      />
      <Choice
        {...of('is')}
        label="Kind"
        options={Object.entries(KINDS).map(([kind, [words]]) => [kind, words])}
      />
      {isFiltered(query) && (
        <button
          type="button"
          class="quiet"
          onClick={() => go(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
        >
          Clear
        </button>
      )}
    </search>
  );
}
