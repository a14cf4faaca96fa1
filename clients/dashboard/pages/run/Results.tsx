import type { JSX } from 'preact';
import { navigate, withQuery } from '../../kit/router.ts';
import { Alike, Row } from './case/Row.tsx';
import { FIGURE_NAMES, FIGURES, type FigureName, type Group, type Listing } from './view.ts';

/** Figures that some result has. */
const figuresIn = (groups: readonly Group[]): readonly FigureName[] =>
  FIGURE_NAMES.filter((name) =>
    groups.some(({ results }) => results.some(({ metadata }) => FIGURES[name].of(metadata) !== undefined)),
  );

/** Results in a table, the one that is open with all that is known of it. */
export function Results(listing: Listing): JSX.Element {
  const { caption, groups } = listing;
  const figures = figuresIn(groups);
  return (
    <table class="table results">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Case</th>
          <th scope="col">Score</th>
          <th scope="col">Why</th>
          {figures.map((name) => (
            <th key={name} scope="col" class="is-number">
              {FIGURES[name].head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group, place) =>
          group.reason === undefined ? (
            group.results.map((result) => <Row key={result.id} {...{ result, place, figures, listing }} />)
          ) : (
            <Alike key={group.results[0]?.id} {...{ group, place, figures, listing }} />
          ),
        )}
      </tbody>
    </table>
  );
}

/** Moves the focus along the cases that are shown, from the one of the link on. */
export function moveFocus(by: 1 | -1, linked: string | undefined): void {
  const cases = [...document.querySelectorAll<HTMLButtonElement>('button.case')];
  const focused = cases.indexOf(document.activeElement as HTMLButtonElement);
  const index = focused === -1 ? cases.findIndex(({ dataset }) => dataset.key === (linked ?? '')) : focused;
  const next = index === -1 ? (by === 1 ? 0 : cases.length - 1) : index + by;
  cases[Math.max(0, Math.min(cases.length - 1, next))]?.focus();
}

/** Opens a case by the address, so that Back closes it and a link opens it. */
export const openCase = (key: string | undefined): void => navigate(withQuery({ case: key }));
