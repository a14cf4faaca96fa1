import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import type { Case, Scorer } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { saysMore } from '../../kit/text.ts';
import { PAGE_SIZE } from '../../parts/save/pages.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { isAdvisory } from './data.ts';

interface Props {
  readonly project: string;
  readonly suite: string;
  readonly cases: readonly Case[];
  readonly scorers: readonly Scorer[];
  /** Of all cases that gate; undefined where some are not loaded. */
  readonly weight: number | undefined;
}

/** What is not as it is of most cases. */
function Marks({ evalCase }: { readonly evalCase: Case }): JSX.Element | null {
  const words = [
    ...(evalCase.must_pass ? ['must pass'] : []),
    ...(isAdvisory(evalCase) ? ['advisory'] : []),
    ...(evalCase.is_active ? [] : ['inactive']),
  ];
  return words.length === 0 ? null : <span>{words.join(', ')}</span>;
}

function columnsOf({ project, suite, scorers, weight }: Props): readonly Column<Case>[] {
  const scorerOf = new Map(scorers.map((scorer) => [scorer.id, scorer]));
  const counts = (evalCase: Case) => evalCase.is_active && !isAdvisory(evalCase);
  return [
    {
      head: 'Case',
      kind: 'main',
      cell: ({ key, name }) => (
        <>
          <a href={to.case(project, suite, key)}>
            <Foreign text={key} />
          </a>
          {saysMore(name, key) && (
            <span class="case-name">
              <Foreign text={name} />
            </span>
          )}
        </>
      ),
    },
    {
      head: 'Scorer',
      cell: ({ scorer_id }) => {
        const scorer = scorerOf.get(scorer_id);
        if (!scorer)
          return <span class="muted">{scorers.length < PAGE_SIZE ? 'deleted' : 'another one'}</span>;
        return (
          <a href={to.scorer(project, scorer.key)}>
            <Foreign text={scorer.name} />
          </a>
        );
      },
    },
    { head: 'Threshold', kind: 'number', cell: ({ threshold }) => `${threshold}` },
    { head: 'Weight', kind: 'number', cell: ({ weight }) => `${weight}` },
    ...(weight === undefined
      ? []
      : [
          {
            head: 'Share',
            kind: 'number' as const,
            cell: (evalCase: Case) =>
              counts(evalCase) && weight > 0 ? share(evalCase.weight / weight) : '–',
          },
        ]),
    {
      head: 'Tags',
      cell: ({ tags }) => (tags.length === 0 ? '–' : <Foreign text={tags.join(', ')} />),
    },
    { head: 'Kind', cell: (evalCase) => <Marks evalCase={evalCase} /> },
  ];
}

/** Rows of a large suite come on demand. */
export function CaseTable(props: Props): JSX.Element {
  const [count, setCount] = useState(PAGE_SIZE);
  const { cases } = props;
  return (
    <>
      <Table caption="Cases" columns={columnsOf(props)} rows={cases.slice(0, count)} keyOf={({ id }) => id} />
      {cases.length > count && (
        <button type="button" onClick={() => setCount(count + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, cases.length - count)} more
        </button>
      )}
    </>
  );
}
