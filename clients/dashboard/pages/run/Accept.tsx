import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BaselinesAcceptAnswer, Run, Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { useAction, write } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import { Trouble } from '../../parts/Notice.tsx';
import { Foreign } from '../../parts/Words.tsx';

type Acceptance = typeof import('../../parts/baseline/Acceptance.tsx').Acceptance;

/** Makes the run what later ones are compared with. The dialog comes with the first click. */
export function Accept({ run }: { readonly run: Run }): JSX.Element | null {
  const [dialog, setDialog] = useState<{ readonly Form: Acceptance; readonly suite: Suite }>();
  const [accepted, setAccepted] = useState<BaselinesAcceptAnswer>();
  const action = useAction();
  if (!may.value.administrate || run.suite === null || run.verdict === null) return null;
  const { project_slug: project, slug } = run.suite;
  const open = () =>
    action.run(async () => {
      const [{ Acceptance: Form }, suite] = await Promise.all([
        import('../../parts/baseline/Acceptance.tsx'),
        write((sdk) => sdk.suites.get(project, slug)),
      ]);
      setDialog({ Form, suite });
    });
  return (
    <>
      {accepted ? (
        <span role="status">
          Accepted: <a href={to.history(project, slug)}>the suite’s baselines</a>
        </span>
      ) : (
        <button type="button" disabled={action.isBusy} onClick={open}>
          Accept as baseline
        </button>
      )}
      <Trouble problem={action.problem} />
      {accepted?.notices.map(({ code, message }) => (
        <p key={code} class="hint">
          <Foreign text={message} />
        </p>
      ))}
      {dialog && (
        <dialog.Form
          {...{ project, suite: dialog.suite }}
          runs={[run.id]}
          title="Accept this run as the baseline"
          onAccepted={setAccepted}
          onClose={() => setDialog(undefined)}
        >
          <p>
            Later runs are compared with this one, case by case. It is a point of comparison, not a pass:
            accept what was released.
          </p>
        </dialog.Form>
      )}
    </>
  );
}
