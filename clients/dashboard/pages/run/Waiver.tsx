import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { waiverOf } from '../../../report/review/waiver.ts';
import { stateOf } from '../../../report/types.ts';
import type { Run } from '../../../sdk/index.ts';
import { write } from '../../app/api.ts';
import { useLeaveGuard } from '../../app/leave.ts';
import { may } from '../../app/session.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { Field } from '../../parts/Fields.tsx';

const DAY_MS = 86_400_000;
const DAYS = [1, 3, 7, 14, 30];

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
  const [reason, setReason] = useState('');
  const [days, setDays] = useState(7);
  useLeaveGuard(reason !== '');
  const waive = () => {
    const expires_at = new Date(Date.now() + days * DAY_MS - 60_000).toISOString();
    return write((sdk) => sdk.waivers.create(run.id, { reason, expires_at }), `runs/${run.id}`);
  };
  return (
    <Confirm title="Waive this run" verb="Waive" act={waive} onClose={onClose}>
      <p>
        The run stays aborted. Gates let it pass until the waiver expires, and later runs of the same bar and
        outputs that fail no other case.
      </p>
      <Field label="Why" hint="At least 10 characters. It is shown with the run.">
        {(id) => (
          <textarea
            id={id}
            rows={3}
            maxLength={2_000}
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="For">
        {(id) => (
          <select id={id} value={days} onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}>
            {DAYS.map((count) => (
              <option key={count} value={count}>
                {count === 1 ? '1 day' : `${count} days`}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Confirm>
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
