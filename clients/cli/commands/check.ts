import { EXIT } from '../../gate/problems/exitCodes.ts';
import { counted } from '../../gate/report/numbers.ts';
import { oneLine, shortened } from '../../gate/report/results.ts';
import { isClean, judgeWords, modelWords } from '../../gate/report/review/judges.ts';
import type { JudgeChecksGetAnswer } from '../../sdk/index.ts';
import { ENVIRONMENT } from '../../sdk/transport/environment.ts';
import { connect, type Handler } from '../context.ts';
import { findSuite } from '../output/findSuite.ts';
import { fields, printOne } from '../output/print.ts';
import { startProgress } from '../output/progress.ts';
import { Problem } from '../problem.ts';

const LOOK_MS = 2_000;
/** An evaluation that dies is repeated. */
const WAIT_MS_MAX = 30 * 60_000;
const REASON_MAX = 200;

/** Asks the judges of a suite about the examples of its cases, and waits for what comes of it. */
export const check: Handler = async (context, [named = '']) => {
  const { io, terminal } = context;
  const connected = connect(context);
  const { judgeChecks } = connected.gate;
  const suite = await findSuite(connected, named);
  await judgeChecks.start(suite.id, { signal: io.signal });
  const { now, sleep } = { ...ENVIRONMENT, ...io.clock };
  const progress = startProgress(io, terminal, `Waiting for the judges of ${suite.slug}`);
  const endsAtMs = now() + WAIT_MS_MAX;
  let answer: JudgeChecksGetAnswer;
  try {
    for (;;) {
      answer = await judgeChecks.get(suite.id, { signal: io.signal });
      if (answer.status !== 'pending') break;
      if (now() >= endsAtMs)
        throw new Problem('The check has not ended.', `Later: evalgate check ${suite.slug}`, EXIT.noVerdict);
      await sleep(LOOK_MS, io.signal);
    }
  } finally {
    progress.stop();
  }
  if (answer.status === 'failed')
    throw new Problem('The check could not be made.', `Again: evalgate check ${suite.slug}`, EXIT.noVerdict);
  printOne(context, answer, () => linesOf(answer).join('\n'));
  return exitOf(answer);
};

/** What no judge was asked about is not good. */
function exitOf({ judges, left_out }: JudgeChecksGetAnswer): number {
  if (!judges.every(isClean)) return EXIT.aborted;
  return judges.length === 0 || left_out > 0 ? EXIT.noVerdict : EXIT.done;
}

function linesOf({ judges, wrong, left_out }: JudgeChecksGetAnswer): string[] {
  if (judges.length === 0) return ['no active case is judged by a model: there is nothing to check'];
  return [
    ...judges.map((judge) => fields(`${judge.scorer}: ${judgeWords(judge)}`, modelWords(judge))),
    ...wrong.map((one) =>
      fields(`  ${one.case}`, one.kind, one.score.toFixed(2), shortened(oneLine(one.reason), REASON_MAX)),
    ),
    ...(left_out === 0 ? [] : [`${counted(left_out, 'example')} beyond the first 200 left out`]),
  ];
}
