import { foldVerdict, readsTrace, scoreSuite } from '../../scoring/engine/engine.ts';
import type { Ambient } from '../ports.ts';
import type { SuiteRevision } from '../suites/chains/suiteRevision.ts';
import { timestamp } from '../time.ts';
import { carriedWaiver } from './baseline/carriedWaiver.ts';
import { baselineOf, keptWith, type RelativeDeps } from './baseline/comparedRun.ts';
import { digestOfOutputs } from './outputs/digests.ts';
import { samplesOf } from './outputs/sampledCases.ts';
import type { Submission } from './outputs/submission.ts';
import type { FinishedRun, ScoredCase } from './ports.ts';
import { foldedCase, gatedCase, sampleDigests } from './results/caseResults.ts';
import { EXCERPTS_BYTES_MAX, withExcerpts } from './results/excerpts.ts';
import { splitResults } from './results/join.ts';
import { expiringAdvisories } from './results/notices.ts';
import type { ScorableSuite } from './suiteCache.ts';

interface Bar {
  readonly at: SuiteRevision;
  readonly digest: string;
  /** When the run is created: advisories end by it. */
  readonly createdAtMs: number;
}

export interface Scored {
  readonly verdict: Omit<FinishedRun['run'], 'duration_ms' | 'trigger' | 'trigger_meta' | 'created_by'>;
  readonly results: readonly ScoredCase[];
  /** The same, as they are stored. */
  readonly stored: FinishedRun['results'];
}

type Deps = Pick<Ambient, 'now'> & Omit<RelativeDeps, 'commits'>;

const readsTraces = (cases: ScorableSuite['cases']): boolean =>
  cases.some(({ scorer }) => readsTrace(scorer?.type ?? ''));

/** Scores a suite without judges: the same submission has the same verdict. 400 for outputs that do not fit the suite. */
export async function scoreAtOnce(
  deps: Deps,
  { at, digest, createdAtMs }: Bar,
  { cases, prepared }: ScorableSuite,
  submission: Submission,
): Promise<Scored> {
  const { bar } = at;
  const { samples, surplus, surplusOutputs } = samplesOf(cases, submission, createdAtMs);
  const { now } = deps;
  const scored = scoreSuite(prepared, { outputsOf: (index) => samples[index] ?? [], now });
  const judged = cases.map((evalCase, index) => {
    const own = samples[index] ?? [];
    const sent = { samples: own, digests: sampleDigests(evalCase, own), scored: scored[index] ?? [] };
    const folded = foldedCase(evalCase, sent, createdAtMs);
    return { ...folded, digests: sent.digests };
  });
  const gated = judged.map(({ result }) => gatedCase(result));
  const isSingle = submission.outputs === undefined;
  const kind = isSingle ? 'output' : 'outputs';
  const baseline = await baselineOf(deps, { at, suiteDigest: digest, kind });
  const { kept, compared, ...figures } = foldVerdict(gated, bar, baseline?.against);
  const digests = {
    suite_digest: digest,
    outputs_digest: digestOfOutputs(judged, submission, readsTraces(cases)),
  };
  const excerpted = await withExcerpts(judged, {
    keep: bar.keepOutputs,
    bytesMax: EXCERPTS_BYTES_MAX,
    readTexts: (ids) => at.textsOf(ids),
  });
  return {
    verdict: {
      ...figures,
      ...digests,
      ...{ kept, isSingle, compared: keptWith(baseline, compared) },
      waived: await carriedWaiver(
        deps,
        { at, created_at: timestamp(createdAtMs), ...figures, ...digests },
        gated,
      ),
      surplus,
      surplus_outputs: surplusOutputs,
      pass_threshold: bar.passThreshold,
      notices: expiringAdvisories(cases, createdAtMs),
    },
    results: excerpted.map(({ result }) => result),
    stored: splitResults(excerpted, cases),
  };
}
