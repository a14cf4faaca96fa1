import type { Call, Trace } from '../kit/trace.ts';
import type { Config, Other } from './config.ts';
import { isOfTool, type Tools } from './glob.ts';
import { asPattern, listOf, othersOf, readsResult } from './parts.ts';

/** The tools whose results a scorer reads. */
export function resultsReadBy({
  type,
  config,
}: {
  readonly type: string;
  readonly config: unknown;
}): Tools[] {
  if (type !== 'trajectory') return [];
  const { forbidden = [], rules = [] } = config as Partial<Config>;
  const patterns = [
    ...forbidden.map(asPattern),
    ...rules.flatMap((rule) => [...listOf<Other>(rule.when), ...othersOf(rule)]),
  ];
  return patterns
    .filter(readsResult)
    .map(({ tool, except = [] }) => ({ tools: listOf(tool), except: listOf(except) }));
}

/** Results hold customers' data: those that no scorer reads are in no digest, and wait in no queue. */
export const withResultsOf = (trace: Trace, read: readonly Tools[]): Trace =>
  trace.map((call) =>
    call.result === undefined || read.some((tools) => isOfTool(tools, call.tool))
      ? call
      : withoutResult(call),
  );

const withoutResult = ({ result: _, since: __, ...call }: Call): Call => call;
