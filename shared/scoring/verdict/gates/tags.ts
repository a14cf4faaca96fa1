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
    const [known, wanted] = [byTag(before), byTag(after)];
    const names = [...new Set([...known.keys(), ...wanted.keys()])];
    return gravest(
      names.flatMap((tag) => {
        const [one, other] = [known.get(tag), wanted.get(tag)];
        return [
          ofOptionalBar(one?.pass_threshold, other?.pass_threshold),
          ofOptionalBar(one?.min_judged_cases, other?.min_judged_cases),
        ];
      }),
    );
  },

  demands(before, after) {
    const wanted = byTag(after);
    return [...byTag(before).values()].flatMap(({ tag, pass_threshold, min_judged_cases }) => {
      const other = wanted.get(tag);
      if (other === undefined) return [];
      const rates = { before: pass_threshold, after: other.pass_threshold };
      return [{ tag, rates, minJudged: Math.min(min_judged_cases, other.min_judged_cases) }];
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
  const { tags: wanted = [] } = gates;
  const members = membersByTag(
    wanted.map(({ tag }) => tag),
    heaviestFirst,
    (one) => one.tags,
  );
  return wanted.map((gate) => ({ gate, cases: members.get(gate.tag) ?? [] }));
}

/** In their order. Each one is looked at once, however many tags there are. */
export function membersByTag<Member>(
  tags: readonly string[],
  all: readonly Member[],
  tagsOf: (member: Member) => readonly string[],
): Map<string, Member[]> {
  const members = new Map<string, Member[]>(tags.map((tag) => [tag, []]));
  if (tags.length === 0) return members;
  for (const one of all) {
    for (const tag of tagsOf(one)) {
      const cases = members.get(tag);
      if (cases !== undefined && cases.at(-1) !== one) cases.push(one);
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
