import { EXIT, exitCodeOfRefusal } from '../../gate/problems/exitCodes.ts';
import { EvalgateError } from '../../sdk/index.ts';
import { connect, type Handler } from '../context.ts';
import { nameOf, waitOf } from '../input/options.ts';
import { startProgress } from '../output/progress.ts';
import { reportTargets } from '../output/reports.ts';
import { printVerdict } from '../output/verdict.ts';
import type { RunOptions } from './run.ts';

type WaitOptions = Pick<RunOptions, 'wait' | 'report' | 'waivers'>;

/** Waits for a run that was sent before. */
export const wait: Handler<WaitOptions> = async (context, [run = ''], options) => {
  const { io, terminal, facts } = context;
  const targets = reportTargets(io, options.report ?? []);
  const limit = waitOf(options.wait);
  const runId = nameOf('id of a run', run);
  const { gate } = connect(context);
  const progress = startProgress(io, terminal, `Waiting for ${runId}`);
  facts.onConnection = progress.connection;
  const outcome = await gate
    .wait(runId, { wait: limit, signal: io.signal })
    .catch((error) => {
      progress.stop();
      if (io.signal.aborted || isLost(error)) terminal.warn(`the run goes on: evalgate wait ${runId}`);
      throw error;
    })
    .finally(progress.stop);
  return printVerdict(context, gate, outcome, { targets, waivers: options.waivers });
};

/** The service was not reached, or failed: that says nothing of the run. */
const isLost = (error: unknown): boolean =>
  error instanceof EvalgateError && exitCodeOfRefusal(error) === EXIT.noVerdict;
