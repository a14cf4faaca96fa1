import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { terminalLine } from '../../../gate/report/escape.ts';
import { waiverWords } from '../../../gate/report/review/waiver.ts';
import { written } from '../../../gate/report/words.ts';
import { connect, type Handler } from '../../context.ts';
import { expiryOf, nameOf } from '../../input/options.ts';
import { nowMs } from '../../io.ts';
import { printOne } from '../../output/print.ts';
import { Problem } from '../../problem.ts';

interface WaiveOptions {
  readonly reason?: string;
  readonly expires?: string;
  readonly revoke?: boolean;
}

/** Lets an aborted run pass for a while, or takes that back. */
export const waive: Handler<WaiveOptions> = async (context, [run = ''], { reason, expires, revoke }) => {
  const runId = nameOf('id of a run', run);
  if (revoke) {
    if (reason !== undefined || expires !== undefined)
      throw new Problem('--revoke takes neither --reason nor --expires.');
    await connect(context).gate.waivers.delete(runId);
    context.terminal.say(`The waiver of ${runId} is revoked.`);
    return EXIT.done;
  }
  if (reason === undefined || expires === undefined)
    throw new Problem('A waiver takes --reason and --expires.', 'Such as --reason "…" --expires 7d');
  const expires_at = expiryOf(expires, nowMs(context.io));
  const waiver = await connect(context).gate.waivers.create(runId, { reason, expires_at });
  printOne(context, waiver, () => written(waiverWords(waiver), terminalLine));
  return EXIT.done;
};
