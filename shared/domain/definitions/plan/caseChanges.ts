import { type Effect, gravest, ofBar } from '../../../scoring/verdict/strictness.ts';
import { CASE } from './defaults.ts';
import { differing, nonDefaultFields } from './fields.ts';
import { maySpare, type Pair, spanOf } from './gating.ts';
import type { CaseFields, Change } from './types.ts';

const FIELDS = [
  ...(['name', 'description', 'input', 'expected', 'examples', 'scorer', 'threshold'] as const),
  ...(['weight', 'is_active', 'tags', 'must_pass', 'advisory', 'sample_count', 'sample_pass_rate'] as const),
] satisfies (keyof CaseFields)[];

/** The fields of a new case that a plan shows. Its texts are in the definition. */
const TEXTS: readonly string[] = ['name', 'description', 'input', 'expected', 'examples'];
const TOLD_OF_NEW = FIELDS.filter((name) => !TEXTS.includes(name));

export interface Sides {
  /** The tags of the gates before, and of those afterwards. */
  readonly gatedTags: { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> };
  /** What another scorer does to the bar of a case. */
  readonly scorerEffect: (before: CaseFields, after: CaseFields) => Effect;
  /** Whether what the case expects is what its outputs are compared with, before and afterwards. */
  readonly comparesWithExpected: (before: CaseFields, after: CaseFields) => boolean;
  /** Whether a gate compares runs with a baseline before and afterwards: by the weights of the run. */
  readonly comparesRuns: boolean;
  readonly nowMs: number;
  /** Keys of cases that may let a gate pass that did not. */
  readonly unproven: ReadonlySet<string>;
}

/** Its change, or none. */
export function changeOfCase(pair: Pair, sides: Sides): Change[] {
  const { key, before, after } = pair;
  const span = spanOf(pair, sides.nowMs);
  const isUnproven = sides.unproven.has(key);
  const change = (
    action: Change['action'],
    fields: Change['fields'],
    effects: readonly Effect[],
  ): Change[] => [
    {
      kind: 'case',
      key,
      action,
      fields,
      effect: gravest([...effects, isUnproven ? 'may be weaker' : 'same']),
    },
  ];
  if (after === undefined) return change('delete', {}, [Number.isFinite(span.before) ? 'weaker' : 'same']);
  if (before === undefined)
    return change('create', nonDefaultFields(CASE, TOLD_OF_NEW, { key, resource: after }), [ofNew(span)]);
  const fields = differing(FIELDS, before, after);
  const names = Object.keys(fields);
  if (names.length === 0) return [];
  if (!Number.isFinite(span.before)) return change('update', fields, [ofNew(span)]);
  const effects = names.map((name) => effectOfField(name, { before, after }, sides));
  return change('update', fields, [...effects, ofSpan(span)]);
}

/** A case that held nothing up before. */
const ofNew = ({ after }: { readonly after: number }): Effect =>
  Number.isFinite(after) ? 'stricter' : 'same';

const ofSpan = ({ before, after }: { readonly before: number; readonly after: number }): Effect =>
  after > before ? 'weaker' : after < before ? 'stricter' : 'same';

interface Both {
  readonly before: CaseFields;
  readonly after: CaseFields;
}

/** Of one field of a case that counts. What its place among the others makes of it is proven apart. */
function effectOfField(name: string, { before, after }: Both, sides: Sides): Effect {
  switch (name) {
    case 'name':
    case 'description':
    case 'examples':
    case 'is_active':
    case 'advisory':
      return 'same';
    case 'weight':
      return sides.comparesRuns ? 'may be weaker' : 'stricter';
    case 'threshold':
      return ofBar(before.threshold, after.threshold);
    case 'must_pass':
      return after.must_pass ? 'stricter' : 'weaker';
    case 'sample_count':
    case 'sample_pass_rate':
      return ofSamples(before, after);
    case 'tags':
      return ofTags(before.tags, after.tags, sides);
    case 'scorer':
      return sides.scorerEffect(before, after);
    case 'expected':
      return sides.comparesWithExpected(before, after) ? 'another answer' : 'may be weaker';
    default:
      return 'may be weaker';
  }
}

/** Not weaker: at least as many samples, of which no more may fail than before. */
function ofSamples(before: CaseFields, after: CaseFields): Effect {
  const [spared, sparing] = [maySpare(before), maySpare(after)];
  if (after.sample_count < before.sample_count) return 'may be weaker';
  if (sparing > spared) return after.sample_count === before.sample_count ? 'weaker' : 'may be weaker';
  return after.sample_count === before.sample_count && sparing === spared ? 'same' : 'stricter';
}

/** Tags that no gate of both names decide nothing. */
function ofTags(before: readonly string[], after: readonly string[], { gatedTags }: Sides): Effect {
  const { before: gated, after: gatedAfter } = gatedTags;
  if (before.some((tag) => gated.has(tag) && !after.includes(tag))) return 'weaker';
  const isAdded = after.some((tag) => (gated.has(tag) || gatedAfter.has(tag)) && !before.includes(tag));
  return isAdded ? 'stricter' : 'same';
}
