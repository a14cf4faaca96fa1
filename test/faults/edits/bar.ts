import type { EvalCase } from '../../../shared/contracts/cases.ts';
import type { Gates } from '../../../shared/contracts/gates.ts';
import { digestOf } from './canonical.ts';

export interface BarCase {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: unknown;
  readonly threshold: number;
  readonly weight: number;
  readonly mustPass: boolean;
  readonly tags: readonly string[];
  readonly advisoryUntil: string | null;
  readonly sampleCount: number;
  readonly samplePassRate: number;
  readonly scorerId: string;
}

/** A suite between two writes. */
export interface Bar {
  readonly fromMs: number;
  untilMs: number;
  readonly passThreshold: number;
  readonly gates: Gates;
  readonly keepOutputs: string;
  /** The name of the baseline that was current. */
  readonly baseline: string | null;
  /** The active ones. */
  readonly cases: readonly BarCase[];
}

export const readCase = (one: EvalCase): BarCase => ({
  id: one.id,
  key: one.key,
  name: one.name,
  input: one.input,
  expected: one.expected,
  threshold: one.threshold,
  weight: one.weight,
  mustPass: one.must_pass,
  tags: one.tags,
  advisoryUntil: one.advisory?.expires_at ?? null,
  sampleCount: one.sample_count,
  samplePassRate: one.sample_pass_rate,
  scorerId: one.scorer_id,
});

/** What the digest of a scorer is made of, by its id. */
export type ScorerDocuments = ReadonlyMap<string, object>;

function caseDigest(one: BarCase, scorers: ScorerDocuments): string {
  const document = {
    key: one.key,
    input: digestOf(one.input),
    expected: digestOf(one.expected),
    threshold: one.threshold,
    weight: one.weight,
    must_pass: one.mustPass,
    tags: one.tags.toSorted(),
    advisory: one.advisoryUntil === null ? null : { expires_at: one.advisoryUntil },
    sample_count: one.sampleCount,
    sample_pass_rate: one.samplePassRate,
    scorer_digest: digestOf(scorers.get(one.scorerId)),
  };
  return digestOf(document);
}

/** `known`: the digests of cases by what they say. A large suite is digested once, however often it is edited. */
export function barDigest(
  { passThreshold, gates, cases }: Bar,
  scorers: ScorerDocuments,
  known: Map<string, string>,
): string {
  const digests = cases.map((one) => {
    const text = JSON.stringify(one);
    const digest = known.get(text) ?? caseDigest(one, scorers);
    known.set(text, digest);
    return [one.id, digest] as const;
  });
  const sorted = digests.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const document = { format: 1, scoring: 1, pass_threshold: passThreshold, gates, cases: sorted };
  return `sha256:${digestOf(document)}`;
}
