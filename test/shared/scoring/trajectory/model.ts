import type { Trace } from '../../../../shared/scoring/kit/trace.ts';

/** The part of a config on which pairing depends, in the form in which it is written. */
export interface ModelRequested {
  readonly tool: string;
  readonly arguments?: object;
  readonly arguments_include?: object;
  readonly min?: number;
  readonly max?: number;
}

export interface ModelConfig {
  readonly order: 'any_order' | 'in_order';
  readonly calls: readonly (ModelRequested | readonly ModelRequested[])[];
  readonly allow_extra: boolean | readonly string[];
  readonly count_failed?: boolean;
  readonly agents?: 'all' | 'top';
}

interface Slot extends ModelRequested {
  readonly stage: number;
  readonly least: number;
  readonly most: number;
}

export interface ModelFigures {
  readonly required: number;
  readonly due: number;
  /** The most that any pairing has; in order those of the pairing with the greatest sum, and then the most filled. */
  readonly filled: number;
  readonly covered: number;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function fits(call: Trace[number], { tool, arguments: whole, arguments_include: part }: Slot): boolean {
  if (call.malformed || call.tool !== tool) return false;
  if (whole === undefined && part === undefined) return true;
  if (call.arguments === undefined) return false;
  if (whole !== undefined) return isSame(call.arguments, whole);
  return Object.entries(part ?? {}).every(([name, value]) => isSame(call.arguments?.[name], value));
}

/** By trying every pairing, so for a few calls only. */
export function figuresByTrying(trace: Trace, config: ModelConfig): ModelFigures {
  const isExtra = (tool: string) =>
    typeof config.allow_extra === 'boolean' ? config.allow_extra : config.allow_extra.includes(tool);
  const slots = config.calls.flatMap((wish, stage) =>
    [wish].flat().map((wanted): Slot => {
      const least = wanted.min ?? 1;
      const free = isExtra(wanted.tool) && !Array.isArray(wish) ? 1_000 : Math.max(least, 1);
      return { ...wanted, stage: config.order === 'in_order' ? stage : 0, least, most: wanted.max ?? free };
    }),
  );
  const calls = trace.filter(
    ({ failed, nested }) => (config.count_failed || !failed) && (config.agents !== 'top' || !nested),
  );
  const isDue = calls.map(
    (call) =>
      call.malformed === true ||
      !isExtra(call.tool) ||
      slots.some((slot) => slot.max !== undefined && fits(call, slot)),
  );
  const required = slots.reduce((sum, { least }) => sum + least, 0);
  const due = isDue.filter(Boolean).length;
  const counts = slots.map(() => 0);
  let [mostFilled, mostCovered, best] = [0, 0, { sum: -1, filled: 0, covered: 0 }];
  const judgePairing = (covered: number): void => {
    const filled = slots.reduce((sum, { least }, at) => sum + Math.min(least, counts[at] ?? 0), 0);
    mostFilled = Math.max(mostFilled, filled);
    mostCovered = Math.max(mostCovered, covered);
    const sum = filled + covered;
    if (sum > best.sum || (sum === best.sum && filled > best.filled)) best = { sum, filled, covered };
  };
  /** `stage`: of the latest paired call, `step`: its step. */
  const pair = (at: number, stage: number, step: number, covered: number) => {
    const call = calls[at];
    if (call === undefined) return judgePairing(covered);
    pair(at + 1, stage, step, covered);
    for (const [number, slot] of slots.entries()) {
      const isTooEarly = call.step === step ? slot.stage !== stage && stage !== -1 : slot.stage < stage;
      if (isTooEarly || counts[number] === slot.most || !fits(call, slot)) continue;
      counts[number] = (counts[number] ?? 0) + 1;
      pair(at + 1, slot.stage, call.step, covered + Number(isDue[at]));
      counts[number] -= 1;
    }
  };
  pair(0, -1, -1, 0);
  return config.order === 'in_order'
    ? { required, due, filled: best.filled, covered: best.covered }
    : { required, due, filled: mostFilled, covered: mostCovered };
}
