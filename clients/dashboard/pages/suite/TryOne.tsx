import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../../../gate/report/numbers.ts';
import type { SuitesTryAnswer } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { useForm } from '../../kit/form/form.ts';
import { Dialog } from '../../parts/Confirm.tsx';
import { Snippet } from '../../parts/Copy.tsx';
import { FormButtons } from '../../parts/Fields.tsx';
import { TextArea } from '../../parts/Form.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { State } from '../../parts/Verdict.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { useTrial } from './data.ts';

type Score = SuitesTryAnswer['scores'][number];

/** Why no output can be tried here, and what judges the suite instead. */
function Refused({ refusal, suite }: Pick<SuiteProps, 'suite'> & { readonly refusal: string }): JSX.Element {
  return (
    <>
      <p>
        <Foreign text={refusal} /> Send an output for each case:
      </p>
      <Snippet text={`evalgate run ${suite.slug} --outputs answers.jsonl`} label="Copy command" />
    </>
  );
}

interface Props extends Pick<SuiteProps, 'suite'> {
  readonly onClose: () => void;
}

/** An output, judged by every case; nothing is stored or counted, and no gate moves. Where one output does not fit, why. */
export function TryOne({ suite, onClose }: Props): JSX.Element {
  const { data, problem, reload } = useTrial(suite.id);
  return (
    <Dialog title="Try one output" onClose={onClose}>
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="the cases" />}
      {data && data.refusal !== null && <Refused suite={suite} refusal={data.refusal} />}
      {data && data.refusal === null && <Trial suite={suite} onClose={onClose} />}
    </Dialog>
  );
}

function Trial({ suite, onClose }: Props): JSX.Element {
  const form = useForm({ output: '' });
  const [scores, setScores] = useState<readonly Score[]>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void form.action.run(async () => {
      setScores(undefined);
      const answer = await write((sdk) => sdk.suites.try(suite.id, { output: form.text('output') }));
      setScores(answer.scores);
      form.settle();
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <TextArea
        {...{ form, name: 'output', label: 'Output' }}
        hint="Every case judges it. Nothing is stored or counted, and the suite does not change."
        rows={4}
        isRequired
      />
      <Trouble problem={form.action.problem} />
      <div role="status">{scores && <Judged scores={scores} />}</div>
      <FormButtons verb="Try" isBusy={form.action.isBusy} onCancel={onClose} />
    </form>
  );
}

const SHOWN_MAX = 100;

const COLUMNS: readonly Column<Score>[] = [
  { head: 'Case', kind: 'main', cell: ({ case_name }) => <Foreign text={case_name} /> },
  { head: 'Status', cell: ({ passed }) => <State state={passed ? 'passed' : 'failed'} /> },
  { head: 'Score', kind: 'number', cell: ({ score }) => score.toFixed(2) },
  { head: 'Why', cell: ({ reason }) => <Foreign text={reason} /> },
];

function Judged({ scores }: { readonly scores: readonly Score[] }): JSX.Element {
  const failed = scores.filter(({ passed }) => !passed);
  const shown = [...failed, ...scores.filter(({ passed }) => passed)].slice(0, SHOWN_MAX);
  return (
    <>
      <p>
        <strong>
          {scores.length - failed.length} of {counted(scores.length, 'case')} passed.
        </strong>
        {shown.length < scores.length && ` The first ${SHOWN_MAX} are shown.`}
      </p>
      <Table caption="What the cases say" columns={COLUMNS} rows={shown} keyOf={(score) => score.case} />
    </>
  );
}
