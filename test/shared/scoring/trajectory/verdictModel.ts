import type { Trace } from '../../../../shared/scoring/kit/trace.ts';
import { figuresByTrying, type ModelConfig, type ModelFigures } from './model.ts';

interface ModelBan {
  readonly tool: string;
  readonly arguments_include?: Readonly<Record<string, number>>;
}

export interface ModelBounds {
  readonly forbidden: readonly (string | ModelBan)[];
  readonly min_calls: number;
  readonly max_calls?: number;
  readonly partial: boolean;
  readonly agents: 'all' | 'top';
}

export interface ModelVerdict {
  readonly score: number;
  readonly precision: number;
  readonly recall: number;
  readonly neverPasses: 'by_deed' | 'by_lack' | undefined;
  /** Calls as they were sent, from 1, and the rule that each breaks. */
  readonly forbidden: readonly { readonly call: number; readonly rule: number }[];
  /** In their order; which calls are missing or surplus depends on the pairing. */
  readonly reasons: readonly string[];
}

function breaks(call: Trace[number], rule: string | ModelBan): boolean {
  const { tool, arguments_include: part = {} } = typeof rule === 'string' ? { tool: rule } : rule;
  const isNamed = tool.endsWith('*') ? call.tool.startsWith(tool.slice(0, -1)) : call.tool === tool;
  if (!isNamed) return false;
  const members = call.arguments;
  if (call.malformed || members === undefined) return true;
  return Object.entries(part).every(([name, value]) => members[name] === value);
}

const callsIn = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

function reasonsOf(
  { trace, seen, counted }: { trace: Trace; seen: number; counted: Trace },
  config: ModelConfig & ModelBounds,
  { filled, required, covered, due }: ModelFigures,
): string[] {
  const { max_calls: most = Number.POSITIVE_INFINITY, min_calls: fewest } = config;
  const anyOrder = figuresByTrying(trace, { ...config, order: 'any_order' });
  const isComplete = filled === required && covered === due;
  const isMisplaced =
    config.order === 'in_order' &&
    !isComplete &&
    anyOrder.filled === anyOrder.required &&
    anyOrder.covered === anyOrder.due;
  return [
    ...(trace.some((call) => config.forbidden.some((rule) => breaks(call, rule))) ? ['forbidden'] : []),
    ...(seen > most ? [`${callsIn(seen)}, at most ${most}`] : []),
    ...(counted.length < fewest ? [`${callsIn(counted.length)}, at least ${fewest}`] : []),
    ...(isMisplaced ? ['out of order'] : []),
    ...(!isMisplaced && filled < required ? ['missing'] : []),
    ...(!isMisplaced && covered < due ? ['surplus'] : []),
    ...(counted.some(({ malformed }) => malformed) ? ['malformed'] : []),
  ];
}

/** What `docs/agents.md` says of all that stands around the pairing. */
export function verdictByModel(trace: Trace, config: ModelConfig & ModelBounds): ModelVerdict {
  const seen = trace.filter(({ nested }) => config.agents === 'all' || !nested);
  const counted = seen.filter(({ failed }) => config.count_failed || !failed);
  const figures = figuresByTrying(trace, config);
  const { required, due, filled, covered } = figures;
  const forbidden = trace
    .map((call) => ({ call: call.at, rule: config.forbidden.findIndex((rule) => breaks(call, rule)) }))
    .filter(({ rule }) => rule !== -1)
    .sort((one, other) => one.call - other.call);
  const isTooMany = config.max_calls !== undefined && seen.length > config.max_calls;
  const byLack = counted.length < config.min_calls ? 'by_lack' : undefined;
  const neverPasses = forbidden.length > 0 || isTooMany ? 'by_deed' : byLack;
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  const isRight = filled === required && covered === due;
  const partial = config.partial ? share(filled + covered, required + due) : 0;
  return {
    score: neverPasses ? 0 : isRight ? 1 : partial,
    precision: neverPasses ? 0 : share(covered, due),
    recall: neverPasses ? 0 : share(filled, required),
    neverPasses,
    forbidden,
    reasons: reasonsOf({ trace, seen: seen.length, counted }, config, figures),
  };
}
