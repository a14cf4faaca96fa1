import type { JSX } from 'preact';
import type { Case, Scorer } from '../../../sdk/index.ts';
import { address, navigate, withQuery } from '../../kit/router.ts';
import { shown } from '../../kit/text.ts';
import { FILTERS, isFiltered, KINDS, tagsOf } from './filter.ts';

type Options = readonly (readonly [value: string, words: string])[];

const go = (fields: Readonly<Record<string, string | undefined>>): void =>
  navigate(withQuery(fields), { replaces: true });

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: Options;
}

function Choice({ name, label, options }: ChoiceProps): JSX.Element | null {
  const value = address.value.query.get(name) ?? '';
  if (options.length === 0 && value === '') return null;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => go({ [name]: currentTarget.value || undefined })}
    >
      <option value="">{label}: all</option>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

interface Props {
  readonly cases: readonly Case[];
  readonly scorers: readonly Scorer[];
}

/** They look into what is loaded. */
export function Filters({ cases, scorers }: Props): JSX.Element {
  const { query } = address.value;
  const used = new Set(cases.map(({ scorer_id }) => scorer_id));
  return (
    <search class="filters">
      <input
        type="search"
        class="search"
        aria-label="Search keys, names and questions"
        placeholder="Search keys, names and questions"
        value={query.get('q') ?? ''}
        onInput={({ currentTarget }) => go({ q: currentTarget.value || undefined })}
      />
      <Choice name="tag" label="Tag" options={tagsOf(cases).map((tag) => [tag, shown(tag)])} />
      <Choice
        name="scorer"
        label="Scorer"
        options={scorers.filter(({ id }) => used.has(id)).map(({ id, name }) => [id, shown(name)])}
      />
      <Choice
        name="is"
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
