import { EXIT } from '../../gate/problems/exitCodes.ts';
import { terminalLine } from '../../gate/report/escape.ts';
import { inOrder, shortened } from '../../gate/report/results.ts';
import { resultLine } from '../../gate/report/text.ts';
import type { Evalgate, RunResult } from '../../sdk/index.ts';
import { type Context, connect, type Handler } from '../context.ts';
import { nameOf } from '../input/options.ts';
import { print } from '../output/print.ts';

const EXCERPT_MAX = 500;

/** The results of a run; those that did not pass with what was asked, expected and answered. */
export const results: Handler<{ readonly failed?: boolean }> = async (context, [run = ''], { failed }) => {
  const { terminal } = context;
  const runId = nameOf('id of a run', run);
  const { gate } = connect(context);
  const query = failed ? { outcome: 'failed' as const } : {};
  const { data } = await gate.runs.results(runId, query, { signal: context.io.signal }).page();
  const shown = context.globals.json ? data : (inOrder(data) as readonly RunResult[]);
  const lineOf = (result: RunResult): string =>
    [resultLine(result, terminal.paintData), ...(result.passed ? [] : excerptsOf(result))].join('\n');
  print(context, shown, lineOf, data.length === 0 ? await whyNone(context, gate, runId) : '');
  return EXIT.done;
};

/** Without results nothing has passed. */
async function whyNone({ io }: Context, gate: Evalgate, runId: string): Promise<string> {
  const { status, passed_cases } = await gate.runs.get(runId, { signal: io.signal });
  if (status === 'pending') return 'The run is pending, and has no results yet.';
  return passed_cases === 0 ? 'The run ended without results.' : 'Every case passed.';
}

function excerptsOf({ input_excerpt, expected_excerpt, output_excerpt, trace_excerpt }: RunResult): string[] {
  const excerpts = {
    input: input_excerpt,
    expected: expected_excerpt,
    output: output_excerpt,
    trace: trace_excerpt,
  };
  return Object.entries(excerpts)
    .flatMap(([name, text]) => (text == null ? [] : [[name, text] as const]))
    .map(([name, text]) => `    ${name}: ${terminalLine(shortened(text, EXCERPT_MAX))}`);
}
