import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Scorer, ScorersTryAnswer, ScorersTryBody } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import type { ScorerForm } from '../../kit/form/description.ts';
import { type Form, jsonOf, useForm } from '../../kit/form/form.ts';
import { scorerForm } from '../../kit/form/forms.ts';
import { Excerpt } from '../../parts/Excerpt.tsx';
import { JsonArea, SelectField, TextArea, TextField } from '../../parts/Form.tsx';
import { Trouble } from '../../parts/Notice.tsx';
import { State } from '../../parts/Verdict.tsx';
import { Foreign } from '../../parts/Words.tsx';

function bodyOf(form: Form, { readsTrace, readsMetadata }: ScorerForm): ScorersTryBody {
  const kind = form.text('expected_kind');
  const output = form.text('output');
  return {
    ...(readsTrace
      ? { trace: jsonOf(form, 'trace', 'Trace') as readonly unknown[], ...(output && { output }) }
      : { output }),
    ...(readsMetadata && { metadata: jsonOf(form, 'metadata', 'Metadata') as Record<string, unknown> }),
    ...(kind === 'text' && { expected: form.text('expected') }),
    ...(kind === 'json' && { expected: jsonOf(form, 'expected', 'Expected') }),
    threshold: Number(form.text('threshold')),
  };
}

/** One output, as a run would score it; nothing is stored or counted. */
export function Try({ scorer }: { readonly scorer: Scorer }): JSX.Element {
  const described = scorerForm(scorer.type);
  const { isJudged, needsExpected, readsMetadata, readsTrace } = described;
  const form = useForm({
    output: '',
    expected_kind: needsExpected ? 'text' : 'nothing',
    expected: '',
    threshold: '0.5',
    metadata: '{ "latency_ms": 820 }',
    trace: '[\n  { "type": "call", "tool": "lookup", "arguments": {} }\n]',
  });
  const [answer, setAnswer] = useState<ScorersTryAnswer>();
  if (isJudged) {
    return (
      <section class="section">
        <h2>Try it</h2>
        <p class="muted">A judge calls a model: run a suite to see its verdict.</p>
      </section>
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void form.action.run(async () => {
      setAnswer(undefined);
      setAnswer(await write((sdk) => sdk.scorers.try(scorer.id, bodyOf(form, described))));
      form.settle();
    });
  };
  const kind = form.text('expected_kind');
  return (
    <section class="section">
      <h2>Try it</h2>
      <form class="card" onSubmit={submit} aria-label="Try the scorer">
        <TextArea {...{ form, name: 'output', label: 'Output' }} rows={4} />
        {readsTrace && <JsonArea {...{ form, name: 'trace', label: 'Trace' }} rows={5} />}
        {readsMetadata && <JsonArea {...{ form, name: 'metadata', label: 'Metadata' }} rows={3} />}
        <div class="columns">
          <SelectField
            {...{ form, name: 'expected_kind', label: 'Expected is' }}
            options={[
              ['text', 'a text'],
              ['json', 'JSON'],
              ['nothing', 'nothing'],
            ]}
          />
          <TextField
            {...{ form, name: 'threshold', label: 'Threshold' }}
            type="number"
            min={0}
            max={1}
            isRequired
          />
        </div>
        {kind === 'text' && <TextArea {...{ form, name: 'expected', label: 'Expected' }} />}
        {kind === 'json' && <JsonArea {...{ form, name: 'expected', label: 'Expected' }} />}
        <Trouble problem={form.action.problem} />
        <div class="dialog-buttons">
          <p class="hint is-aside">Nothing is stored or counted.</p>
          <button type="submit" class="primary" disabled={form.action.isBusy}>
            Try
          </button>
        </div>
        <div role="status">{answer && <Answer answer={answer} />}</div>
      </form>
    </section>
  );
}

function Answer({ answer: { passed, score, reason, scorer_output } }: { readonly answer: ScorersTryAnswer }) {
  return (
    <div class="stack">
      <div class="heading-row">
        <State state={passed ? 'passed' : 'failed'} />
        <strong>{score.toFixed(2)}</strong>
        <Foreign text={reason} />
      </div>
      {Object.keys(scorer_output).length > 0 && (
        <Excerpt label="Scorer’s output" text={JSON.stringify(scorer_output, null, 2)} />
      )}
    </div>
  );
}
