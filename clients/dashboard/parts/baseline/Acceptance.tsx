import type { ComponentChildren, JSX } from 'preact';
import { write } from '../../kit/api.ts';
import { useForm } from '../../kit/form/form.ts';
import { CheckField, SelectField, TextField } from '../Form.tsx';
import { FormDialog } from '../FormDialog.tsx';
import type { SuiteProps } from '../save/data.ts';
import { suitesKey } from '../save/data.ts';
import { comparesWithBaseline, touchedByBaseline } from './data.ts';

/** What the baseline can hold up. */
const GATES = {
  newly: { max_newly_failing: 0 },
  regression: { regression: {} },
} as const;
const OPTIONS = [
  ['', 'Choose one'],
  ['newly', 'No case may newly fail (max_newly_failing: 0)'],
  ['regression', 'Not worse by more than chance (regression)'],
  ['none', 'None: it only shows what got worse'],
] as const;

interface Props extends SuiteProps {
  /** Ids of the runs. */
  readonly runs: readonly string[];
  readonly title: string;
  /** Which runs, and the way to choose them. */
  readonly children: ComponentChildren;
  readonly onAccepted?: () => void;
  readonly onClose: () => void;
}

/** Makes runs what later ones are compared with, sets the gate that compares, and has later outputs kept for comparisons. */
export function Acceptance({
  project,
  suite,
  runs,
  title,
  children,
  onAccepted,
  onClose,
}: Props): JSX.Element {
  const keepsAll = suite.keep_outputs === 'all';
  const form = useForm({ reason: '', gate: '', keep: keepsAll ? '' : 'on' });
  const needsGate = !comparesWithBaseline(suite.gates);
  const gate = needsGate ? GATES[form.text('gate') as keyof typeof GATES] : undefined;
  const added = {
    ...(gate && { gates: { ...suite.gates, ...gate } }),
    ...(form.isOn('keep') && { keep_outputs: 'all' as const }),
  };
  // The next push would take an edit back.
  const isPushed = suite.last_push !== null;
  const accept = async () => {
    const body = { run_ids: [...runs], reason: form.text('reason').trim() || null };
    await write(
      (sdk) => sdk.baselines.accept(suite.id, body),
      ...touchedByBaseline(suite.id),
      suitesKey(project),
    );
    if (!isPushed && Object.keys(added).length > 0) await update();
    form.settle();
    onAccepted?.();
  };
  const update = () =>
    write(
      (sdk) => sdk.suites.update(project, suite.slug, { ...added, expected_version: suite.version }),
      suitesKey(project),
    );
  return (
    <FormDialog
      title={title}
      verb="Accept"
      action={form.action}
      act={accept}
      onClose={onClose}
      isDisabled={runs.length === 0 || (needsGate && form.text('gate') === '')}
    >
      {children}
      {needsGate && (
        <SelectField
          {...{ form, name: 'gate', label: 'Which gate compares runs with it?', options: OPTIONS }}
          hint={
            form.text('gate') === 'none'
              ? 'The baseline blocks nothing: runs that are worse are cleared by the other gates.'
              : 'The suite has no gate on the comparison yet.'
          }
        />
      )}
      {!keepsAll && (
        <CheckField
          {...{ form, name: 'keep', label: 'Keep the outputs of all cases from now on' }}
          hint="Comparisons then show what was answered before: from the next accepted run on, as long as that is kept."
        />
      )}
      {isPushed && <InFile added={added} />}
      <TextField
        {...{ form, name: 'reason', label: 'Why' }}
        placeholder="Released as 2.3.0"
        lengthMax={2_000}
      />
    </FormDialog>
  );
}

/** What the next push would take back. */
function InFile({ added }: { readonly added: object }): JSX.Element | null {
  const lines = Object.entries(added).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (lines.length === 0) return null;
  return (
    <p class="hint">
      The suite is pushed from files: add <code>{lines.join(', ')}</code> to its file, and push it.
    </p>
  );
}
