import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { comparedScores } from '../../../../gate/report/numbers.ts';
import { labelOf, oneLine, shortened } from '../../../../gate/report/results.ts';
import type { RunResult } from '../../../../sdk/index.ts';
import { withQuery } from '../../../kit/router.ts';
import { bringIntoSight } from '../../../kit/scroll.ts';
import { saysMore, shown } from '../../../kit/text.ts';
import { Detail, WHY_MAX } from '../../../parts/result/Detail.tsx';
import { standingOf } from '../../../parts/runs/standing.ts';
import { State, Tags } from '../../../parts/Verdict.tsx';
import { Foreign } from '../../../parts/Words.tsx';
import { FIGURES, type FigureName, type Group, type Listing } from '../view.ts';

interface RowProps {
  readonly result: RunResult;
  /** In the table: what is known later of other cases may move it. */
  readonly place: number;
  readonly figures: readonly FigureName[];
  readonly listing: Listing;
}

const TAGS_SHOWN = 2;

/** A result; open, with all that is known of it. */
export function Row({ result, place, figures, listing }: RowProps): JSX.Element {
  const { key, case_id, case_name, score, threshold, reason, errored, missing } = result;
  const isOpen = listing.opened === key;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isOpen && listing.isLinked) bringIntoSight(row.current);
  }, [isOpen && listing.isLinked, place]);
  const id = `case-${result.id}`;
  return (
    <>
      <tr ref={row} class={isOpen ? 'is-open' : undefined}>
        <td>
          <State state={standingOf(result, listing.changes)} />
        </td>
        <td class="is-main">
          <button
            type="button"
            class="case"
            dir="auto"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            data-key={key}
            onClick={() => listing.onOpen(isOpen ? undefined : key)}
          >
            {shown(oneLine(labelOf(result)))}
          </button>
          {saysMore(case_name, labelOf(result)) && (
            <span class="case-name" dir="auto">
              {shown(shortened(oneLine(case_name), 80))}
            </span>
          )}
          <Marks result={result} isFixed={listing.changes?.get(case_id) === 'fixed'} />
        </td>
        <td data-head="Score">{errored || missing ? '' : comparedScores(score, threshold)}</td>
        <td class="why" dir="auto">
          {shown(shortened(oneLine(reason), WHY_MAX))}
        </td>
        {figures.map((name) => {
          const value = FIGURES[name].of(result.metadata);
          return (
            <td key={name} class="is-number" data-head={FIGURES[name].head}>
              {value === undefined ? '' : FIGURES[name].shown(value)}
            </td>
          );
        })}
      </tr>
      {isOpen && (
        <tr class="opened" id={id}>
          <td colSpan={4 + figures.length}>
            <Detail result={result} isPlain={listing.isPlain} another={listing.anotherLike?.(key)} />
          </td>
        </tr>
      )}
    </>
  );
}

function Marks({
  result: { must_pass, tags },
  isFixed,
}: {
  readonly result: RunResult;
  readonly isFixed: boolean;
}): JSX.Element | null {
  if (!must_pass && !isFixed && tags.length === 0) return null;
  const words = [must_pass && 'must pass', isFixed && 'newly passing'].filter(Boolean).join(' · ');
  return (
    <span class="marks">
      {words && <strong>{words}</strong>}
      <Tags tags={tags.slice(0, TAGS_SHOWN)} hrefOf={(tag) => withQuery({ tag, page: '' })} />
    </span>
  );
}

/** Many of the same reason: one line until it is unfolded. */
export function Alike({
  group,
  place,
  figures,
  listing,
}: Omit<RowProps, 'result'> & { readonly group: Group }): JSX.Element {
  const { results, reason = '' } = group;
  const [isUnfolded, setUnfolded] = useState(false);
  const isShown = isUnfolded || results.some(({ key }) => key === listing.opened);
  const [first] = results;
  return (
    <>
      <tr class="alike">
        <td>{first && <State state={standingOf(first, listing.changes)} />}</td>
        <td class="is-main">
          <button type="button" class="case" aria-expanded={isShown} onClick={() => setUnfolded(!isShown)}>
            {results.length} cases
          </button>
          <span class="case-name">for the same reason</span>
        </td>
        <td />
        <td class="why" colSpan={1 + figures.length}>
          <Foreign text={shortened(oneLine(reason), WHY_MAX)} />
        </td>
      </tr>
      {isShown && results.map((result) => <Row key={result.id} {...{ result, place, figures, listing }} />)}
    </>
  );
}
