import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { to } from '../../app/addresses.ts';
import { forget, useAction, write } from '../../app/api.ts';
import { useLeaveGuard } from '../../app/leave.ts';
import { navigate } from '../../app/router.ts';
import { jsonProblem } from '../../app/text.ts';
import { Field, JsonField } from '../../parts/Fields.tsx';
import { Trouble } from '../../parts/Notice.tsx';
import { suitesKey } from '../bar/data.ts';
import type { SuiteProps } from './data.ts';

/** An output, judged by every case. What is sent again after a failure is the same run. */
export function RunNow({ project, suite }: SuiteProps): JSX.Element {
  const [output, setOutput] = useState('');
  const [input, setInput] = useState('');
  const [isSent, setSent] = useState(false);
  const sent = useRef({ text: '', key: '' });
  const action = useAction();
  useLeaveGuard(output + input !== '' && !isSent);
  const run = async () => {
    const about = input.trim() === '' ? {} : { input: JSON.parse(input) };
    const body = { suite: suite.slug, project, output, trigger: 'dashboard', ...about } as const;
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    const { id } = await write((sdk) => sdk.runs.create(body, { idempotencyKey: sent.current.key }));
    setSent(true);
    // The guard goes with the next rendering, and this page with the one after: its lists are not asked for again.
    setTimeout(() => {
      navigate(to.run(id));
      setTimeout(() => forget(`suites/${suite.id}/`, suitesKey(project), 'billing/usage'));
    });
  };
  const isBroken = input.trim() !== '' && jsonProblem(input) !== undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(run);
  };
  return (
    <form class="run-now part" onSubmit={submit}>
      <Field
        label="Run now"
        hint="One output, which every case judges. Outputs for each case come from evalgate run."
        problem={action.problem?.fields.get('output')}
      >
        {(id) => (
          <textarea
            id={id}
            rows={2}
            required
            placeholder="Paste what your program answered"
            value={output}
            onInput={({ currentTarget }) => setOutput(currentTarget.value)}
          />
        )}
      </Field>
      <button type="submit" class="primary" disabled={action.isBusy || isSent || isBroken}>
        {action.isBusy ? 'Judging …' : 'Run'}
      </button>
      <details class="run-input">
        <summary class="muted">With an input for judges</summary>
        <JsonField
          label="Input"
          hint='What the program was asked, such as {"question": "…"}: for judges that read it.'
          value={input}
          onValue={setInput}
          problem={action.problem?.fields.get('input')}
          rows={3}
        />
      </details>
      <Trouble problem={action.problem} />
    </form>
  );
}
