import { EXIT } from '../../gate/problems/exitCodes.ts';
import { comparedScores, counted, share } from '../../gate/report/numbers.ts';
import { connect, type Handler } from '../context.ts';
import { countOf } from '../input/options.ts';
import { findSuite } from '../output/findSuite.ts';
import { fields, print } from '../output/print.ts';

const DAYS_MAX = 90;

/** A suite's days with runs. */
export const trends: Handler<{ readonly days: string }> = async (context, [suite = ''], options) => {
  const days = countOf('--days', options.days, DAYS_MAX);
  const connected = connect(context);
  const { id } = await findSuite(connected, suite);
  const trendDays = await connected.gate.analytics.trends(id, { days });
  print(
    context,
    trendDays,
    ({ date, avg_pass_rate, cleared_count, aborted_count, total_runs }) =>
      fields(
        date,
        `pass rate ${share(avg_pass_rate)}`,
        `${cleared_count} cleared, ${aborted_count} aborted of ${counted(total_runs, 'run')}`,
      ),
    `No runs in ${counted(days, 'day')}.`,
  );
  return EXIT.done;
};

/** The cases that the latest run failed and the one before passed. */
export const regressions: Handler = async (context, [suite = '']) => {
  const connected = connect(context);
  const { id } = await findSuite(connected, suite);
  const { gate } = connected;
  const regressed = await gate.analytics.regressions(id);
  const runs = regressed.length > 0 ? [] : (await gate.runs.list(id, { pageSize: 2 }).page()).data;
  print(
    context,
    regressed,
    ({ case_name, current_score, previous_score, threshold, reason }) =>
      fields(
        case_name,
        `${comparedScores(current_score, threshold)}, before ${previous_score.toFixed(2)}`,
        reason,
      ),
    runs.length < 2 ? 'There are no two runs to compare.' : 'No regressions.',
  );
  return EXIT.done;
};
