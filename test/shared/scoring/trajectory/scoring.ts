import type {
  CompiledScorer,
  DeterministicScorer,
  Outcome,
} from '../../../../shared/scoring/kit/definition.ts';
import { Expected } from '../../../../shared/scoring/kit/reading/expected.ts';
import { Subject } from '../../../../shared/scoring/kit/reading/subject.ts';
import type { Trace } from '../../../../shared/scoring/kit/trace.ts';
import { loadScorers } from '../../../../shared/scoring/registry.ts';
import { trajectory } from '../../../../shared/scoring/scorers/trajectory.ts';
import { readTrace } from '../../../../shared/scoring/trace/read.ts';

await loadScorers(['trajectory']);
const definition = trajectory as DeterministicScorer<unknown>;

export function traceOf(sent: readonly unknown[], field: 'trace' | 'messages' = 'trace'): Trace {
  const read = readTrace(field, sent);
  if (!read.ok) throw new Error(`${read.path.join('.')} ${read.message}`);
  return read.trace;
}

const compiled = (config: object, { dualSided = false } = {}): CompiledScorer =>
  definition.compile(definition.configSchema().parse(config), { dualSided });

export const outcomeOf = (
  config: object,
  trace: Trace,
  { dualSided = false, expected = undefined as unknown } = {},
): Outcome => compiled(config, { dualSided }).score(new Subject('', {}, trace), new Expected(expected));
