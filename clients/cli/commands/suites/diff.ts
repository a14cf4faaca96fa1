import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { safeJson } from '../../../gate/report/escape.ts';
import { madeBy } from '../../../gate/report/plan.ts';
import { planText } from '../../../gate/report/planText.ts';
import type { Handler } from '../../context.ts';
import { planAll } from './plans.ts';

/** Shows what a push would change. */
export const diff: Handler<{ readonly exitCode?: boolean }> = async (
  context,
  files,
  { exitCode = false },
) => {
  const { terminal, globals } = context;
  const { plans } = await planAll(context, files, { prune: false });
  if (globals.json) {
    terminal.data(
      `${safeJson(
        plans.map(({ suite, answer }) => ({ suite, ...answer })),
        2,
      )}\n`,
    );
  } else {
    for (const plan of plans) terminal.report(planText(plan, { hidesValues: false }, terminal.paintData));
  }
  const isChanged = plans.some((plan) => madeBy(plan).length > 0);
  return exitCode && isChanged ? EXIT.aborted : EXIT.done;
};
