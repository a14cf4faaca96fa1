import type { Gates } from '../../../contracts/gates.ts';
import type { GatedCase, Gating } from '../gating.ts';
import type { StatusLetter } from '../kept.ts';
import { gravest, ofOptionalBar } from '../strictness.ts';
import { verdictOf } from '../verdict.ts';
import { countJudged, type Gate, reaching, statusLetter, statusOf, tooFewJudged } from './gate.ts';

type TagGate = NonNullable<Gates['tags']>[number];
type TagResult = readonly [
  'tag',
  StatusLetter,
  tag: string,
  observed: number,
  required: number,
  judged: number,
  minJudged: number,
];

/** A pass rate for the cases of each tag. */
export const tags: Gate<TagResult> = {
  kind: 'tag',

  results: (gating) => taggedCases(gating).map(resultOf),

  answer: ([, letter, tag, observed, required, judged, minJudged]) => ({
    gate: `tag:${tag}`,
    ...statusOf(letter),
    observed,
    required,
    judged_cases: judged,
    ...(letter === 'i' && tooFewJudged(judged, minJudged)),
  }),

  shares: (gating) =>
    taggedCases(gating).map(({ gate, cases }) => ({
      cases,
      minJudged: gate.min_judged_cases,
      ...reaching(gate.pass_threshold),
    })),

  effect(before, after) {
    const [gatesBefore, gatesAfter] = [byTag(before), byTag(after)];
    const names = [...new Set([...gatesBefore.keys(), ...gatesAfter.keys()])];
    return gravest(
      names.flatMap((tag) => {
        const [gateBefore, gateAfter] = [gatesBefore.get(tag), gatesAfter.get(tag)];
        return [
          ofOptionalBar(gateBefore?.pass_threshold, gateAfter?.pass_threshold),
          ofOptionalBar(gateBefore?.min_judged_cases, gateAfter?.min_judged_cases),
        ];
      }),
    );
  },

  demands(before, after) {
    const gatesAfter = byTag(after);
    return [...byTag(before).values()].flatMap(({ tag, pass_threshold, min_judged_cases }) => {
      const gateAfter = gatesAfter.get(tag);
      if (gateAfter === undefined) return [];
      const rates = { before: pass_threshold, after: gateAfter.pass_threshold };
      return [{ tag, rates, minJudged: Math.min(min_judged_cases, gateAfter.min_judged_cases) }];
    });
  },
};

const byTag = (gates: Gates): Map<string, TagGate> => new Map(gates.tags?.map((gate) => [gate.tag, gate]));

interface TaggedCases {
  readonly gate: TagGate;
  /** Heaviest first. */
  readonly cases: readonly GatedCase[];
}

function taggedCases({ heaviestFirst, settings: { gates } }: Gating): TaggedCases[] {
  const { tags: tagGates = [] } = gates;
  const members = membersByTag(
    tagGates.map(({ tag }) => tag),
    heaviestFirst,
    (one) => one.tags,
  );
  return tagGates.map((gate) => ({ gate, cases: members.get(gate.tag) ?? [] }));
}

/** In their order. Each one is looked at once, however many tags there are. */
export function membersByTag<Member>(
  tags: readonly string[],
  all: readonly Member[],
  tagsOf: (member: Member) => readonly string[],
): Map<string, Member[]> {
  const members = new Map<string, Member[]>(tags.map((tag) => [tag, []]));
  if (tags.length === 0) return members;
  for (const member of all) {
    for (const tag of tagsOf(member)) {
      const cases = members.get(tag);
      if (cases !== undefined && cases.at(-1) !== member) cases.push(member);
    }
  }
  return members;
}

/** A gate that checks nothing must not clear. One that fails is failed, however little was judged. */
function resultOf({ gate, cases }: TaggedCases): TagResult {
  const { tag, pass_threshold: required, min_judged_cases: minJudged } = gate;
  if (cases.length === 0) return ['tag', 'i', tag, 0, required, 0, minJudged];
  const verdict = verdictOf(cases, required);
  const judged = countJudged(cases);
  const status = statusLetter(verdict);
  const isShort = judged < minJudged && status !== 'f';
  return ['tag', isShort ? 'i' : status, tag, verdict.pass_rate, required, judged, minJudged];
}
