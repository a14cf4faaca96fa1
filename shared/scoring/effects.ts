import { isDeepStrictEqual } from 'node:util';
import { parseConfig } from './kit/config.ts';
import type { ScorerOptions } from './kit/definition.ts';
import { type ConfiguredScorer, definitionOf } from './registry.ts';
import { type Config as Contains, contains } from './scorers/contains.ts';
import { exactMatch } from './scorers/exactMatch.ts';
import { type Config as Metric, metric, REASON } from './scorers/metric.ts';
import { type Config as Similarity, similarity } from './scorers/similarity.ts';
import { trajectory } from './scorers/trajectory.ts';
import type { Config as Trajectory } from './trajectory/config.ts';
import { effectOf as trajectoryEffect } from './trajectory/effect.ts';
import { type Effect, ofBar, ofSets } from './verdict/strictness.ts';

type EffectOf<Config> = (before: Config, after: Config, options: ScorerOptions) => Effect;

const containsEffect: EffectOf<Contains> = (before, after, { dualSided }) => {
  const { values: was, ...otherFieldsBefore } = before;
  const { values: is, ...otherFieldsAfter } = after;
  if (dualSided || !isDeepStrictEqual(otherFieldsBefore, otherFieldsAfter)) return 'may be weaker';
  return before.mode === 'any' ? ofSets(is, was) : ofSets(was, is);
};

const metricEffect: EffectOf<Metric> = (before, after) =>
  before.field === after.field && before.field !== REASON
    ? ofBar(-(before.max ?? 0), -(after.max ?? 0))
    : 'may be weaker';

const similarityEffect: EffectOf<Similarity> = (before, after) => {
  const { same_numbers: was = false, ...otherFieldsBefore } = before;
  const { same_numbers: is = false, ...otherFieldsAfter } = after;
  return isDeepStrictEqual(otherFieldsBefore, otherFieldsAfter)
    ? ofBar(Number(was), Number(is))
    : 'may be weaker';
};

/** By type, what another config does to the bar; of other types it may be weaker. Only plans read it, no run. */
const EFFECTS: ReadonlyMap<string, EffectOf<never>> = new Map<string, EffectOf<never>>([
  [contains.type, containsEffect satisfies EffectOf<Contains>],
  [metric.type, metricEffect satisfies EffectOf<Metric>],
  [similarity.type, similarityEffect satisfies EffectOf<Similarity>],
  [trajectory.type, trajectoryEffect satisfies EffectOf<Trajectory>],
]);

interface ComparedScorer extends ConfiguredScorer {
  readonly dual_sided: boolean;
}

/** What another config does to the bar, of a scorer that is otherwise the same. */
export function configEffect(before: ComparedScorer, after: ComparedScorer): Effect {
  const definition = definitionOf(before.type);
  const effectOf = EFFECTS.get(before.type);
  const isComparable = before.type === after.type && before.dual_sided === after.dual_sided;
  if (!isComparable || definition === undefined || effectOf === undefined) return 'may be weaker';
  const [was, is] = [before, after].map(({ config }) => parseConfig(definition, config));
  if (!was?.ok || !is?.ok) return 'may be weaker';
  return effectOf(was.config as never, is.config as never, { dualSided: before.dual_sided });
}

interface ComparingCase {
  readonly expected: unknown;
  /** After the change. */
  readonly threshold: number;
}

/** A similarity judges every output that equals a text of at most so many units, also in letters of another case. */
const JUDGED_LENGTH_MAX = 10_000;

/** What another scorer does to the bar of a case that expects the same as before. */
export function replacementEffect(
  before: ComparedScorer,
  after: ComparedScorer,
  { expected, threshold }: ComparingCase,
): Effect {
  const isKnown = before.type === similarity.type && after.type === exactMatch.type && !after.dual_sided;
  const isJudged = typeof expected === 'string' && expected.length <= JUDGED_LENGTH_MAX && threshold > 0;
  if (!isKnown || !isJudged) return 'may be weaker';
  const was = parseConfig(similarity, before.config);
  const is = parseConfig(exactMatch, after.config);
  if (!was.ok || !is.ok || is.config.normalize) return 'may be weaker';
  const readsAlike = (was.config.ignore_reasoning ?? false) === (is.config.ignore_reasoning ?? false);
  return readsAlike && (is.config.case_sensitive || !was.config.case_sensitive)
    ? 'stricter'
    : 'may be weaker';
}

const COMPARING: readonly string[] = [exactMatch.type, similarity.type];

/** Whether an output passes by how it compares with `expected`, so that another value is another answer. */
export const comparesWithExpected = ({ type }: ConfiguredScorer): boolean => COMPARING.includes(type);
