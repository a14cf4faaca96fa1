import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../../../gate/report/numbers.ts';
import { waiverOf } from '../../../gate/report/review/waiver.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { Run } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { useForm } from '../../kit/form/form.ts';
import { may } from '../../kit/session.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { SelectField, TextArea } from '../../parts/Form.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';

const DAY_MS = 86_400_000;
const DAYS = [1, 3, 7, 14, 30].map((days) => [`${days}`, counted(days, 'day')] as const);

/** Lets an aborted run pass for a while, or takes that back. It changes no figure and no verdict. */
export function Waiver({ run }: { readonly run: Run }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (!may.value.administrate || stateOf(run) !== 'aborted') return null;
  const isWaived = waiverOf(run) !== undefined;
  const failsRequired = run.verdict?.gates.some(
    ({ gate, status }) => gate === 'must_pass' && status !== 'passed',
  );
  // Such a run is not waived by the service.
  if (!isWaived && (failsRequired || run.verdict === null)) return null;
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {isWaived ? 'Revoke the waiver' : 'Waive'}
      </button>
      {isOpen && (isWaived ? <Revoke run={run} onClose={close} /> : <Waive run={run} onClose={close} />)}
    </>
  );
}

interface Props {
  readonly run: Run;
  readonly onClose: () => void;
}

function Waive({ run, onClose }: Props): JSX.Element {
  const form = useForm({ reason: '', days: '7' });
  const waive = async () => {
    const expires_at = new Date(Date.now() + Number(form.text('days')) * DAY_MS - 60_000).toISOString();
    const body = { reason: form.text('reason'), expires_at };
    await write((sdk) => sdk.waivers.create(run.id, body), `runs/${run.id}`);
    form.settle();
  };
  return (
    <FormDialog title="Waive this run" verb="Waive" action={form.action} act={waive} onClose={onClose}>
      <p>
        The run stays aborted, but gates let it pass until the waiver ends. So they do with later runs of the
        same bar and outputs, unless another case fails.
      </p>
      <TextArea
        {...{ form, name: 'reason', label: 'Why' }}
        hint="At least 10 characters. It is shown with the run."
        isRequired
      />
      <SelectField {...{ form, name: 'days', label: 'Expires after', options: DAYS }} />
    </FormDialog>
  );
}

function Revoke({ run, onClose }: Props): JSX.Element {
  const revoke = () => write((sdk) => sdk.waivers.delete(run.id), `runs/${run.id}`);
  return (
    <Confirm title="Revoke the waiver" verb="Revoke" isDangerous act={revoke} onClose={onClose}>
      <p>Gates stop at this run again.</p>
    </Confirm>
  );
}
