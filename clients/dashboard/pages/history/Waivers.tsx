import type { JSX } from 'preact';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { Empty, Loading, Trouble } from '../../parts/Notice.tsx';
import { useRuns } from '../../parts/runs/data.ts';
import type { SuiteProps } from '../../parts/save/data.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { Chip, State } from '../../parts/Verdict.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import { Author } from './Lines.tsx';

type Waiver = NonNullable<Run['waiver']>;

const COLUMNS: readonly Column<Waiver>[] = [
  {
    head: 'Run',
    kind: 'main',
    cell: ({ run_id: id, active }) => (
      <span class="several">
        <a class="id" href={to.run(id)} title={id}>
          {shortRun(id)}
        </a>
        {active ? <State state="waived" /> : <Chip tone="calm">ended</Chip>}
      </span>
    ),
  },
  { head: 'Why', cell: ({ reason }) => <Foreign text={reason} /> },
  { head: 'By', cell: ({ waived_by: by }) => <Author credential={by} /> },
  { head: 'Since', cell: ({ created_at: at }) => <Time at={at} /> },
  { head: 'Until', cell: ({ expires_at: at }) => <Time at={at} /> },
];

/** Of the newest runs. Several may carry one waiver. */
export function Waivers({ suite }: Pick<SuiteProps, 'suite'>): JSX.Element {
  const { data, problem, reload } = useRuns(suite.id, 1, {});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="waivers" />;
  const waivers = new Map(data.data.flatMap(({ waiver }) => (waiver ? [[waiver.id, waiver]] : [])));
  return (
    <>
      {waivers.size === 0 ? (
        <Empty title="No waiver">
          An aborted run is waived on its page: for a while it blocks nothing, and its verdict stays.
        </Empty>
      ) : (
        <Table caption="Waivers" columns={COLUMNS} rows={[...waivers.values()]} keyOf={({ id }) => id} />
      )}
      {data.pagination?.hasMore && <p class="hint">Of the newest {data.data.length} runs.</p>}
    </>
  );
}
