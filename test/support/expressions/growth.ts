import vm from 'node:vm';
import { sized } from '../soak.ts';
import { type TextShape, textOf, textShapes } from './worstTexts.ts';

const MEGABYTE = 1_048_576;
/** Each is eight times the one before. */
const LENGTHS = [256, 2_048, 16_384, 131_072, MEGABYTE].slice(0, sized(3, 5));
/** A linear expression takes 8 times as long for 8 times the text, a quadratic one 64 times. */
const GROWTH_MAX = 24;
/** From here on the earlier time is measured again: disturbed, it would hide that the later one is too long. */
const GROWTH_SUSPECT = 12;
/** Smaller differences are noise of the clock. */
const NOISE_MICROSECONDS = 2_000;
const SEARCHED_LENGTH = sized(256, 1_024);
/** Suspects are measured again, because other work disturbs the first measurement. */
const LOOKED_AT_AGAIN = sized(15, 40);
const WORST_KEPT = 3;
const MEASURED_AGAIN = sized(4, 10);
/** Other work, and memory that is taken back, add less than this to the least processor time of three measurements. */
const DISTURBANCE_MICROSECONDS_MAX = 250_000;
/** Ends exponential expressions; others are far below. */
const NEVER_MS = 300_000;

/** The worst text of an expression whose time grows faster than the text; undefined for all others. */
export function superlinear(source: string, flags: string): (TextShape & { length: number }) | undefined {
  const search = () => {
    // All matches take as long as the first one, at least.
    const expression = new RegExp(source, `${flags.replace('g', '')}g`);
    for (const shape of worstShapes(expression, source, flags)) {
      const length = outgrownAt(expression, shape);
      if (length !== undefined) return { ...shape, length };
    }
    return undefined;
  };
  return vm.runInNewContext('search()', { search }, { timeout: NEVER_MS });
}

const byCost = (one: { cost: number }, two: { cost: number }): number => two.cost - one.cost;
const use = (expression: RegExp, text: string): unknown => text.replace(expression, '');

function worstShapes(expression: RegExp, source: string, flags: string): TextShape[] {
  const costs: { shape: TextShape; cost: number }[] = [];
  for (const shape of textShapes(source, flags)) {
    const text = textOf(shape, SEARCHED_LENGTH);
    const replace = () => use(expression, text);
    // Too short for the clock of the processor's time. Other work disturbs one of two, but hardly both.
    costs.push({ shape, cost: Math.min(elapsed(replace), elapsed(replace)) });
  }
  const worst = costs.toSorted(byCost).slice(0, LOOKED_AT_AGAIN);
  const again = worst.map(({ shape }) => {
    const text = textOf(shape, 4 * SEARCHED_LENGTH);
    return { shape, cost: processorTime(() => use(expression, text)) };
  });
  return again
    .toSorted(byCost)
    .slice(0, WORST_KEPT)
    .map(({ shape }) => shape);
}

/** The length at which the time has grown faster than the text. */
function outgrownAt(expression: RegExp, shape: TextShape): number | undefined {
  let before = NOISE_MICROSECONDS;
  let replaceBefore = (): unknown => undefined;
  for (const length of LENGTHS) {
    const text = textOf(shape, length);
    const replace = () => use(expression, text);
    let cost = timeOnce(replace);
    if (before > NOISE_MICROSECONDS && cost > GROWTH_SUSPECT * before)
      before = Math.max(NOISE_MICROSECONDS, Math.min(before, processorTime(replaceBefore)));
    // Other work on the machine disturbs a measurement, but hardly every one of many.
    const isCertain = () => cost > GROWTH_MAX * before + DISTURBANCE_MICROSECONDS_MAX;
    const isOpen = (again: number) => again === 0 || (!isCertain() && again < MEASURED_AGAIN);
    for (let again = 0; cost > GROWTH_MAX * before && isOpen(again); again++)
      cost = Math.min(cost, processorTime(replace));
    if (cost > GROWTH_MAX * before) return length;
    before = Math.max(cost, NOISE_MICROSECONDS);
    replaceBefore = replace;
  }
  return undefined;
}

/** Milliseconds. */
function elapsed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

/** Microseconds of this thread. */
function timeOnce(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** The lesser of two runs, since the first may compile. */
const processorTime = (work: () => unknown): number => Math.min(timeOnce(work), timeOnce(work));
