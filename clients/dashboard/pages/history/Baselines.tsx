import type { JSX } from 'preact';
import { share } from '../../../gate/report/numbers.ts';
import type { BaselinesListAnswer, Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { write } from '../../kit/api.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { touchedByBaseline } from '../../parts/baseline/data.ts';
import { Confirm, Opener } from '../../parts/Confirm.tsx';
import { Empty, Loading, Trouble } from '../../parts/Notice.tsx';
import { Pager } from '../../parts/Pager.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { suitesKey } from '../../parts/save/data.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import { Accept } from './Accept.tsx';
import { type DialogProps, useBaselines } from './data.ts';
import { Author } from './Lines.tsx';

const columnsOf = (suite: Suite): readonly Column<BaselinesListAnswer>[] => [
  {
    head: 'Runs',
    kind: 'main',
    cell: ({ id, run_ids: runs }) => (
      <span class="several">
        {runs.map((run) => (
          <a key={run} class="id" href={to.run(run)} title={run}>
            {shortRun(run)}
          </a>
        ))}
        {id === suite.baseline_id && <span class="state is-info">current</span>}
      </span>
    ),
  },
  { head: 'Accepted', cell: ({ created_at: at }) => <Time at={at} /> },
  { head: 'By', cell: ({ accepted_by: by }) => <Author credential={by} /> },
  { head: 'Pass rate', kind: 'number', cell: ({ pass_rate: rate }) => share(rate) },
  { head: 'Cases', kind: 'number', cell: ({ cases }) => cases },
  {
    head: 'Why',
    cell: ({ reason, notices }) => (
      <>
        {reason === null ? '–' : <Foreign text={reason} />}
        {notices.map(({ code, message }) => (
          <p key={code} class="hint">
            <Foreign text={message} />
          </p>
        ))}
      </>
    ),
  },
];

/** What runs are compared with, and were. */
export function Baselines({ project, suite }: SuiteProps): JSX.Element {
  const { data, problem, reload } = useBaselines(suite.id, pageIn(address.value, 'baselines'));
  return (
    <>
      {may.value.administrate && (
        <div class="part-head actions">
          {suite.baseline_id !== null && (
            <Opener label="Remove the baseline">
              {(onClose) => <Remove {...{ project, suite, onClose }} />}
            </Opener>
          )}
          <Opener label="Accept runs" kind="primary">
            {(onClose) => <Accept {...{ project, suite, onClose }} />}
          </Opener>
        </div>
      )}
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="baselines" />}
      {data && data.data.length === 0 && <NoBaseline />}
      {data && data.data.length > 0 && (
        <Table caption="Baselines" columns={columnsOf(suite)} rows={data.data} keyOf={({ id }) => id} />
      )}
      {data?.pagination && (
        <Pager pagination={data.pagination} noun="baselines" hrefOf={toPage('baselines')} />
      )}
    </>
  );
}

const NoBaseline = (): JSX.Element => (
  <Empty title="No baseline yet">
    <p>
      Accept the run of the released version: later runs show which cases got worse since, and whether that is
      more than chance.
    </p>
  </Empty>
);

function Remove({ project, suite, onClose }: DialogProps): JSX.Element {
  const remove = () =>
    write((sdk) => sdk.baselines.remove(suite.id), ...touchedByBaseline(suite.id), suitesKey(project));
  return (
    <Confirm title="Remove the baseline" verb="Remove" isDangerous act={remove} onClose={onClose}>
      <p>
        Later runs are compared with nothing. Gates on the comparison are inconclusive then, and abort each
        run until another one is accepted.
      </p>
    </Confirm>
  );
}
