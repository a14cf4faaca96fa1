import type { JSX } from 'preact';
import { share } from '../../../gate/report/numbers.ts';
import type { Scorer } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { questionOf, saysMore } from '../../kit/text.ts';
import { LatestState } from '../../parts/result/LatestState.tsx';
import type { Changes } from '../../parts/runs/standing.ts';
import { PAGE_SIZE } from '../../parts/save/pages.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Chip, Tags } from '../../parts/Verdict.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { isAdvisory, type ListedCase } from './data.ts';

interface Props {
  readonly project: string;
  readonly suite: string;
  readonly cases: readonly ListedCase[];
  readonly scorers: readonly Scorer[];
  readonly changes: Changes;
  /** Of all cases that gate; undefined where some are not loaded. */
  readonly weight: number | undefined;
}

/** What most cases have: of a case only what differs from it is shown. */
type Usual = Pick<ListedCase, 'scorer_id' | 'threshold' | 'weight'>;

function mostOf<T>(values: readonly T[]): T | undefined {
  const counts = [...Map.groupBy(values, (value) => value)].map(
    ([value, alike]) => [value, alike.length] as const,
  );
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

function usualOf(cases: readonly ListedCase[]): Usual {
  return {
    scorer_id: mostOf(cases.map(({ scorer_id }) => scorer_id)) ?? '',
    threshold: mostOf(cases.map(({ threshold }) => threshold)) ?? 0,
    weight: mostOf(cases.map(({ weight }) => weight)) ?? 1,
  };
}

function ScorerName({ id, project, scorers }: Pick<Props, 'project' | 'scorers'> & { readonly id: string }) {
  const scorer = scorers.find((one) => one.id === id);
  if (!scorer)
    return <span class="muted">{scorers.length < PAGE_SIZE ? 'scorer deleted' : 'another scorer'}</span>;
  return (
    <a href={to.scorer(project, scorer.key)}>
      <Foreign text={scorer.name} />
    </a>
  );
}

/** Of a weight, its share of all that gates. */
const shareWords = (one: number, all: number | undefined): string => (all ? ` (${share(one / all)})` : '');

interface OwnProps extends Props {
  readonly evalCase: ListedCase;
  readonly usual: Usual;
}

/** What is not as it is of most cases, and its tags. */
function Own({ evalCase, usual, ...props }: OwnProps): JSX.Element {
  const { scorer_id, threshold, weight, must_pass, is_active, tags } = evalCase;
  return (
    <span class="several">
      {must_pass && <Chip tone="calm">must pass</Chip>}
      {isAdvisory(evalCase) && <Chip tone="calm">advisory</Chip>}
      {!is_active && <Chip tone="calm">inactive</Chip>}
      {scorer_id !== usual.scorer_id && <ScorerName id={scorer_id} {...props} />}
      {threshold !== usual.threshold && <span>threshold {threshold}</span>}
      {weight !== usual.weight && (
        <span>
          weight {weight}
          {shareWords(weight, props.weight)}
        </span>
      )}
      <Tags tags={tags} />
    </span>
  );
}

const oneLine = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const columnsOf = (props: Props, usual: Usual): readonly Column<ListedCase>[] => [
  {
    head: 'Case',
    kind: 'main',
    cell: ({ key, name, input }) => (
      <>
        <a href={to.case(props.project, props.suite, key)}>
          <Foreign text={key} />
        </a>
        {saysMore(name, key) && saysMore(name, questionOf(input)) && (
          <span class="case-name">
            <Foreign text={name} />
          </span>
        )}
      </>
    ),
  },
  { head: 'Question', kind: 'line', cell: ({ input }) => <Foreign text={questionOf(input)} /> },
  {
    head: 'Expected',
    kind: 'line',
    cell: ({ expected }) => (expected === null ? '–' : <Foreign text={oneLine(expected)} />),
  },
  { head: 'Last run', cell: (evalCase) => <LatestState evalCase={evalCase} changes={props.changes} /> },
  { head: 'Rules and tags', cell: (evalCase) => <Own {...props} evalCase={evalCase} usual={usual} /> },
];

/** Rows of a large suite come on demand. */
export function CaseTable(props: Props): JSX.Element {
  const { cases, weight } = props;
  const usual = usualOf(cases);
  return (
    <>
      <p class="hint">
        Unless its row differs, a case is judged by <ScorerName id={usual.scorer_id} {...props} /> with
        threshold {usual.threshold} and weight {usual.weight}
        {shareWords(usual.weight, weight)}.
      </p>
      <Table
        caption="Cases"
        columns={columnsOf(props, usual)}
        rows={cases}
        keyOf={({ id }) => id}
        first={PAGE_SIZE}
      />
    </>
  );
}
