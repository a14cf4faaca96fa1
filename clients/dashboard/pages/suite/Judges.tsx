import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { judgeWords, modelWords } from '../../../gate/report/review/judges.ts';
import { useAction, write } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import { Trouble } from '../../parts/Notice.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { checkKey, useCheck, useTrial } from './data.ts';

/** What the check of each judge found: on demand where no gate takes it, and only of suites that models judge. */
export function Judges({ suite }: Pick<SuiteProps, 'suite'>): JSX.Element | null {
  const [isRequested, setRequested] = useState(false);
  const mayBeJudged = useTrial(suite.id).data?.refusal != null;
  if (!may.value.browse) return null;
  if (suite.gates.judges !== undefined || isRequested) return <Found suite={suite} />;
  if (!mayBeJudged) return null;
  return (
    <p class="baseline">
      <button type="button" class="quiet" onClick={() => setRequested(true)}>
        Show the check of its judges
      </button>
    </p>
  );
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
        <p key={judge.scorer} class="baseline">
          <span>
            <strong>{judge.scorer}</strong>: {judgeWords(judge)}; {check.at && <Time at={check.at} isAgo />},{' '}
            <Foreign text={modelWords(judge)} />
          </span>
        </p>
      ))}
      {check.judges.length === 0 && (
        <p class="baseline">No check has shown that its judges fail wrong answers.</p>
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
