import type { Waiver } from '../../../contracts/baseline/waiver.ts';
import type { GatedCase } from '../../../scoring/verdict/gating.ts';
import { numberIn } from '../../revisions/ids.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import type { RunDigests, StoredWaiver, WaivedCases, WaiverReader } from './ports.ts';

/** A case as far as a waiver is about it. */
type EndedCase = Pick<GatedCase, 'id' | 'advisory' | 'passed' | 'errored' | 'mustPass'>;

const isOpen = ({ advisory, passed }: EndedCase): boolean => !advisory && !passed;

/** The gating cases that did not pass. */
export function waivedCases(cases: readonly EndedCase[]): WaivedCases {
  const open = cases.filter(isOpen);
  const numbersOf = (some: readonly EndedCase[]) => some.map(({ id }) => numberIn(id) ?? -1);
  return {
    failed: numbersOf(open.filter(({ errored }) => !errored)),
    errored: numbersOf(open.filter(({ errored }) => errored)),
  };
}

export const failsRequired = (cases: readonly EndedCase[]): boolean =>
  cases.some((one) => one.mustPass && isOpen(one));

/** What was errored where the waiver was made may be errored again. It may not fail: that was not seen. */
export function covers(waived: WaivedCases, cases: WaivedCases): boolean {
  const failed = new Set(waived.failed);
  const errored = new Set([...waived.failed, ...waived.errored]);
  return cases.failed.every((one) => failed.has(one)) && cases.errored.every((one) => errored.has(one));
}

interface JudgedRun {
  readonly suiteRevision: SuiteRevision;
  readonly createdAt: string;
  readonly digests: RunDigests | undefined;
}

/** Of runs of the same bar and outputs, the newest first. None are read where no run of the suite was waived of late. */
export async function waiversOf(
  { waivers }: { readonly waivers: Pick<WaiverReader, 'waived'> },
  { suiteRevision, createdAt, digests }: JudgedRun,
): Promise<readonly StoredWaiver[]> {
  return digests !== undefined && suiteRevision.hasWaivers(createdAt)
    ? waivers.waived(suiteRevision.chain, digests)
    : [];
}

interface EndedRun {
  readonly createdAt: string;
  readonly status: string;
  readonly inconclusive: boolean;
}

/** By whose waiver an aborted run is waived, too: the number of an earlier run of the same bar and outputs. */
export function carriedWaiver(
  waivers: readonly StoredWaiver[],
  { createdAt, status, inconclusive }: EndedRun,
  cases: readonly GatedCase[],
): number | null {
  if (status !== 'aborted' || inconclusive || failsRequired(cases)) return null;
  const waivable = waivedCases(cases);
  return waivers.find((waived) => createdAt < waived.expires_at && covers(waived, waivable))?.number ?? null;
}

/** Undefined for a run that was not judged. */
export function digestsOf({
  suite_digest,
  outputs_digest,
}: Readonly<Record<'suite_digest' | 'outputs_digest', string | null>>): RunDigests | undefined {
  if (suite_digest === null || outputs_digest === null) return undefined;
  return { suite: suite_digest, outputs: outputs_digest };
}

/** As a run answers it that has the digests. `runId`: of the run that was waived. */
export function shownWaiver(
  digests: RunDigests,
  { id, reason, waived_by, created_at, expires_at }: StoredWaiver,
  { runId: run_id, nowMs }: { readonly runId: string; readonly nowMs: number },
): Waiver {
  return {
    id,
    run_id,
    suite_digest: digests.suite,
    outputs_digest: digests.outputs,
    reason,
    waived_by,
    created_at,
    expires_at,
    active: nowMs < Date.parse(expires_at),
  };
}
