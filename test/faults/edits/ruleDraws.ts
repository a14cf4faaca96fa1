import type { Random } from '../random.ts';

const TAGS = ['safety', 'tone'];
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface CaseRuleDraw {
  readonly sample_count: number;
  readonly sample_pass_rate: number;
  readonly must_pass: boolean;
  readonly tags: string[];
  readonly weight: number;
  readonly advisory: { readonly owner: string; readonly reason: string; readonly expires_at: string } | null;
}

const drawTags = (random: Random): string[] => TAGS.filter(() => random.chance(0.2));

/** Some end while the runs are under way. */
const drawAdvisory = (random: Random, nowMs: number): CaseRuleDraw['advisory'] => ({
  owner: 'Ada',
  reason: 'It is being rewritten.',
  expires_at: new Date(nowMs + random.pick([random.int(1, 5) * MINUTE_MS, 60 * DAY_MS])).toISOString(),
});

export function drawCaseRules(random: Random, nowMs: number): CaseRuleDraw {
  const must_pass = random.chance(0.05);
  return {
    sample_count: random.pick([1, 1, 1, 1, 2, 3]),
    sample_pass_rate: random.pick([1, 1, 0.5, 0]),
    must_pass,
    tags: drawTags(random),
    weight: random.pick([1, 1, 1, 2, 0.5, 0]),
    advisory: !must_pass && random.chance(0.1) ? drawAdvisory(random, nowMs) : null,
  };
}

export function drawGates(random: Random) {
  return {
    ...(random.chance(0.3) && { min_judged_cases: random.int(1, 4) }),
    ...(random.chance(0.3) && { min_lower_bound: random.pick([0.1, 0.5]) }),
    ...(random.chance(0.4) && {
      tags: TAGS.filter(() => random.chance(0.7)).map((tag) => ({
        tag,
        pass_threshold: random.pick([0, 0.5, 1]),
        min_judged_cases: random.int(1, 2),
      })),
    }),
  };
}

/** One change of a case or of its suite. */
export type Edit = { readonly evalCase: object } | { readonly suite: object };

export function drawEdit(random: Random, nowMs: number): Edit {
  const evalCase = (body: object) => ({ evalCase: body });
  const edits: (() => Edit)[] = [
    () => evalCase({ is_active: random.chance(0.4) }),
    () => evalCase({ is_active: random.chance(0.4) }),
    () => evalCase({ threshold: random.pick([0.1, 0.5, 0.9]) }),
    () => evalCase({ key: random.pick(['renamed', 'case-0', 'case-1']) }),
    () => evalCase({ sample_count: random.int(1, 3) }),
    () => evalCase({ must_pass: random.chance(0.5), advisory: null }),
    () => evalCase({ must_pass: false, advisory: drawAdvisory(random, nowMs) }),
    () => evalCase({ tags: drawTags(random), weight: random.pick([0, 1, 2]) }),
    () => ({ suite: { pass_threshold: random.pick([0, 0.5, 1]) } }),
    () => ({ suite: { gates: drawGates(random) } }),
    () => ({ suite: { keep_outputs: random.pick(['failed', 'all', 'none']) } }),
  ];
  return random.pick(edits)();
}
