import type { RunResult } from '../../../shared/contracts/results/results.ts';
import type { ModelSample } from '../../shared/scoring/verdict/model.ts';
import { insist } from '../insist.ts';
import type { BarCase } from './bar.ts';
import type { SentItem } from './sent.ts';
import { isForbidden, traceScore } from './traces.ts';

/** An output that came without its trace. Beside an error none is due. */
export const lacksTrace = ({ output, trace }: SentItem): boolean =>
  output !== undefined && trace === undefined;

/** What its agent did decides of an output, and beside an error what may never be done. */
export function auditTraced(
  at: string,
  { passed, score, scorer_output: { error } }: Pick<RunResult, 'passed' | 'score' | 'scorer_output'>,
  item: SentItem,
  { threshold }: BarCase,
): ModelSample {
  const { output, trace = [] } = item;
  const isError = output === undefined && !isForbidden(trace);
  const dueError = lacksTrace(item) ? 'TRACE_MISSING' : isError ? 'OUTPUT_ERROR' : undefined;
  const dueScore = dueError === undefined ? traceScore(trace) : 0;
  const passes = dueError === undefined && !isForbidden(trace) && dueScore >= threshold;
  const [stated, due] = [
    [error, score, passed],
    [dueError, dueScore, passes],
  ].map((outcome) => JSON.stringify(outcome));
  insist(stated === due, `${at}: it is ${stated}, and its trace says ${due}`);
  return { passed, errored: isError, score };
}

/** What is kept of a trace is of an agent that answered this case for this client. */
export function auditTraceExcerpt(at: string, { trace_excerpt = '' }: RunResult, by: string): void {
  const isOwn = trace_excerpt === '' || trace_excerpt.includes(`{"of":"${by} s`);
  insist(isOwn, `${at}: it keeps the trace ${trace_excerpt}`);
}
