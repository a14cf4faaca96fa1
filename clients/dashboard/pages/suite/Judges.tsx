import type { JSX } from 'preact';
import { judgeWords, modelWords } from '../../../gate/report/review/judges.ts';
import { useAction, write } from '../../kit/api.ts';
import { address } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Trouble } from '../../parts/Notice.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { checkKey, useCheck } from './data.ts';

/** What the check of each judge found: on demand where no gate takes it. */
export function Judges({ suite }: Pick<SuiteProps, 'suite'>): JSX.Element | null {
  const isShown = suite.gates.judges !== undefined || address.value.query.has('judges');
  return may.value.browse && isShown ? <Found suite={suite} /> : null;
}

function Found({ suite }: Pick<SuiteProps, 'suite'>): JSX.Element {
  const { data: check, problem } = useCheck(suite.id);
  const action = useAction();
  if (!check) return <Trouble problem={problem} />;
  const start = () => action.run(() => write((sdk) => sdk.judgeChecks.start(suite.id), checkKey(suite.id)));
  const isPending = check.status === 'pending' || action.isBusy;
  return (
    <section class="part" aria-label="Judges">
      {check.judges.map((judge) => (
        <p key={judge.scorer} class="strip">
          <span>
            <strong>{judge.scorer}</strong>: {judgeWords(judge)}; {check.at && <Time at={check.at} isAgo />},{' '}
            <Foreign text={modelWords(judge)} />
          </span>
        </p>
      ))}
      {check.judges.length === 0 && (
        <p class="strip">No check has shown that its judges fail wrong answers.</p>
      )}
      {check.status === 'failed' && <p class="hint">The last check could not be made.</p>}
      <Trouble problem={action.problem} />
      {may.value.edit && (
        <button type="button" class="quiet" disabled={isPending} onClick={start}>
          {isPending ? 'Checking the judges' : check.at ? 'Check again' : 'Check the judges'}
        </button>
      )}
    </section>
  );
}
