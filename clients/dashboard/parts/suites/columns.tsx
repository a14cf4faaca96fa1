import { share } from '../../../gate/report/numbers.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { OriginAside } from '../runs/Origin.tsx';
import type { Column } from '../Table.tsx';
import { State } from '../Verdict.tsx';
import { Foreign } from '../Words.tsx';

/** How a suite stands. */
export const suiteColumns = (project: string): readonly Column<Suite>[] => [
  {
    head: 'Suite',
    kind: 'main',
    cell: ({ slug, name }) => (
      <a href={to.suite(project, slug)}>
        <Foreign text={name} />
      </a>
    ),
  },
  {
    head: 'Latest',
    cell: ({ latest_run: run }) =>
      run ? (
        <span class="several">
          <State state={stateOf(run)} />
          <OriginAside run={run} />
        </span>
      ) : (
        <span class="muted">no run yet</span>
      ),
  },
  {
    head: 'Pass rate',
    kind: 'number',
    cell: ({ latest_run: run }) => (run && run.status !== 'pending' ? share(run.pass_rate) : '–'),
  },
  { head: 'Bar', kind: 'number', cell: ({ pass_threshold: bar }) => share(bar) },
];
