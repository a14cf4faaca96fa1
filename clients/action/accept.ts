import { markdownInline, terminalLine } from '../gate/report/escape.ts';
import { acceptedWords } from '../gate/report/review/baseline.ts';
import { written } from '../gate/report/words.ts';
import type { Runner } from './job/runner.ts';
import type { Known, Ready } from './known.ts';
import { createClient } from './login.ts';
import type { Ending } from './outcome.ts';
import { attempted } from './reporting/attempted.ts';
import { endingMarkdown } from './reporting/markdown.ts';
import { explained } from './run.ts';

/** Makes runs the baseline of their suite, by the job's own token. */
export async function acceptRuns(runner: Runner, known: Known, ready: Ready): Promise<void> {
  const { inputs, settings } = ready;
  const scope = 'suites';
  const client = createClient(runner, known, settings, scope);
  const accept = async () => {
    const { id } = await client.suites.get(settings.project, inputs.text('suite'));
    return client.baselines.accept(id, { run_ids: [...inputs.runIds] });
  };
  known.accepted = await accept().catch((error: unknown) => {
    throw explained(error, { ...ready, known, scope, answers: undefined });
  });
}

interface Acceptance extends Pick<Ready, 'inputs' | 'job'>, Pick<Known, 'accepted'> {
  /** Where nothing was accepted. */
  readonly ending: Ending | undefined;
}

/** Reports it in outputs, log and summary. A failure to do so does not change how the step ends. */
export async function reportAcceptance(runner: Runner, acceptance: Acceptance): Promise<void> {
  const { inputs, job, accepted, ending } = acceptance;
  const title = inputs.text('suite');
  if (ending !== undefined || accepted === undefined) {
    const level = ending?.isFailure === false ? 'warning' : 'error';
    runner.annotate(level, 'evalgate: accept', ending?.message ?? '');
    if (ending === undefined) return;
    const markdown = endingMarkdown({ ending, title, job, without: 'no runs were accepted' });
    return attempted(runner, 'The summary', () => runner.appendSummary(markdown));
  }
  const lines = acceptedWords(accepted);
  await attempted(runner, 'The outputs', () => {
    runner.setOutput('exit-code', '0');
    runner.setOutput('baseline-id', accepted.id);
  });
  for (const { message } of accepted.notices) runner.annotate('warning', 'evalgate: accept', message);
  runner.print(lines.map((words) => written(words, terminalLine)).join('\n'));
  const list = lines.map((words) => `- ${written(words, markdownInline)}`).join('\n');
  await attempted(runner, 'The summary', () =>
    runner.appendSummary(`### ✅ ${markdownInline(title)}\n\n${list}\n`),
  );
}
