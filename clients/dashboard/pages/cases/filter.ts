import type { Case } from '../../../sdk/index.ts';
import { questionOf } from '../../kit/text.ts';
import type { Changes } from '../../parts/runs/standing.ts';
import { isAdvisory, type ListedCase } from './data.ts';

export const KINDS = {
  failing: ['failing', ({ latest_outcome: latest }: ListedCase) => latest?.passed === false],
  must_pass: ['must pass', ({ must_pass }: Case) => must_pass],
  advisory: ['advisory', isAdvisory],
  active: ['active', ({ is_active }: Case) => is_active],
  inactive: ['inactive', ({ is_active }: Case) => !is_active],
} as const;

/** As the address says. */
export const FILTERS = ['q', 'tag', 'scorer', 'is'] as const;

export const isFiltered = (query: URLSearchParams): boolean => FILTERS.some((name) => query.has(name));

/** Those of the loaded cases that the address asks for. */
export function filtered(cases: readonly ListedCase[], query: URLSearchParams): readonly ListedCase[] {
  const [text, tag, scorer, kind] = FILTERS.map((name) => query.get(name) ?? '');
  const words = text?.toLowerCase() ?? '';
  const isKind = Object.entries(KINDS).find(([name]) => name === kind)?.[1][1];
  return cases.filter(
    (evalCase) =>
      (words === '' ||
        `${evalCase.key} ${evalCase.name} ${questionOf(evalCase.input)}`.toLowerCase().includes(words)) &&
      (!tag || evalCase.tags.includes(tag)) &&
      (!scorer || evalCase.scorer_id === scorer) &&
      (!isKind || isKind(evalCase)),
  );
}

/** What got worse comes first, then what failed before; else the suite's order. */
export function failingFirst(cases: readonly ListedCase[], changes: Changes): readonly ListedCase[] {
  const rank = ({ id, latest_outcome: latest }: ListedCase): number =>
    latest?.passed !== false ? 2 : changes?.get(id) === 'newly failing' ? 0 : 1;
  return cases.toSorted((one, other) => rank(one) - rank(other));
}

export const tagsOf = (cases: readonly Case[]): readonly string[] =>
  [...new Set(cases.flatMap(({ tags }) => tags))].sort();
