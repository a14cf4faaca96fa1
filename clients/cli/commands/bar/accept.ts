import { terminalLine } from '../../../report/escape.ts';
import { acceptedWords } from '../../../report/review/baseline.ts';
import { written } from '../../../report/words.ts';
import { connect, type Handler } from '../../context.ts';
import { EXIT } from '../../exitCodes.ts';
import { nameOf } from '../../input/options.ts';
import { findSuite } from '../../output/findSuite.ts';
import { printOne } from '../../output/print.ts';

/** Makes runs the baseline of their suite. */
export const accept: Handler<{ readonly reason?: string }> = async (
  context,
  [suite = '', ...runs],
  { reason = null },
) => {
  const run_ids = runs.map((run) => nameOf('id of a run', run));
  const connected = connect(context, 'suites');
  const { id } = await findSuite(connected, suite);
  const accepted = await connected.gate.baselines.accept(id, { run_ids, reason });
  const lines = acceptedWords(accepted).map((words) => written(words, terminalLine));
  printOne(context, accepted, () => lines.join('\n'));
  return EXIT.done;
};
