import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { may } from '../../kit/session.ts';
import { Acceptance } from '../../parts/baseline/Acceptance.tsx';
import { Trouble } from '../../parts/Notice.tsx';
import { useSuite } from '../../parts/save/data.ts';

/** Makes the run what later ones are compared with: of one that is not cleared that is seldom wanted. */
export function Accept({ run }: { readonly run: Run }): JSX.Element | null {
  const [step, setStep] = useState<'asks' | 'accepted'>();
  if (!may.value.administrate || run.suite === null || run.verdict === null) return null;
  const { project_slug: project, slug } = run.suite;
  if (step === 'accepted') return <a href={to.history(project, slug)}>Accepted: the suite’s baselines</a>;
  const close = () => setStep((now) => (now === 'accepted' ? now : undefined));
  return (
    <>
      <button type="button" onClick={() => setStep('asks')}>
        Accept as baseline
      </button>
      {step && (
        <Asked {...{ project, slug }} run={run.id} onAccepted={() => setStep('accepted')} onClose={close} />
      )}
    </>
  );
}

interface AskedProps extends Pick<Parameters<typeof Acceptance>[0], 'project' | 'onAccepted' | 'onClose'> {
  readonly slug: string;
  readonly run: string;
}

function Asked({ slug, run, ...dialog }: AskedProps): JSX.Element {
  const { data: suite, problem, reload } = useSuite(dialog.project, slug);
  if (!suite) return <Trouble problem={problem} retry={reload} />;
  return (
    <Acceptance {...dialog} suite={suite} runs={[run]} title="Accept this run as the baseline">
      <p>
        Later runs are compared with this one, case by case. It is a point of comparison, not a pass: accept
        what was released.
      </p>
    </Acceptance>
  );
}
