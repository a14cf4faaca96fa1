import type { JSX } from 'preact';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { address, type PageProps } from '../../kit/router.ts';
import { crumbsOfRun } from '../../parts/crumbs.ts';
import { Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { useRun } from '../../parts/runs/data.ts';
import { Heading } from '../../parts/Shell.tsx';
import { Compared } from './Compared.tsx';
import { useComparison } from './data.ts';

/** What got worse or better from run `a` to run `b`. */
export function Page(_: PageProps): JSX.Element {
  const { query } = address.value;
  const [older, newer] = [query.get('a'), query.get('b')];
  return older && newer ? <Both key={`${older} ${newer}`} older={older} newer={newer} /> : <Choose />;
}

/** Without two runs in the address. */
const Choose = (): JSX.Element => (
  <>
    <Heading title="Compare two runs" />
    <Notice>
      The page of a run leads to the comparison with its baseline. Any two runs of a suite are compared at{' '}
      <code>{`${to.compare('', '')}?a=run_…&b=run_…`}</code>.
    </Notice>
  </>
);

interface BothProps {
  readonly older: string;
  readonly newer: string;
}

function Both({ older, newer }: BothProps): JSX.Element {
  const { data: run, problem, reload } = useRun(newer);
  return (
    <>
      <Heading
        title="Comparison"
        crumbs={crumbsOfRun(run?.suite ?? null)}
        actions={
          <a class="button" href={to.compare(newer, older)}>
            Swap
          </a>
        }
      />
      {problem && !run && <Trouble problem={problem} retry={reload} />}
      {!run && !problem && <Loading what="the run" />}
      {run?.status === 'pending' && (
        <Notice>
          The run <a href={to.run(newer)}>has no verdict yet</a>: the page looks again by itself.
        </Notice>
      )}
      {run && run.status !== 'pending' && <Ended older={older} run={run} />}
    </>
  );
}

function Ended({ older, run }: { readonly older: string; readonly run: Run }): JSX.Element {
  const { data: compared, problem, reload } = useComparison(older, run);
  if (compared) return <Compared compared={compared} run={run} older={older} />;
  if (!problem) return <Loading what="the comparison" />;
  const isRefused = problem.code === 'VALIDATION_ERROR' || problem.code === 'NOT_FOUND';
  return (
    <>
      {isRefused && <p class="verdict-headline">These runs cannot be compared.</p>}
      <Trouble problem={problem} retry={reload} />
    </>
  );
}
