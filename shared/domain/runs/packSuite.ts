import { EXPECTED_CHARACTERS_MAX } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import type { JudgeIdentity } from '../suites/bar/judgeIdentity.ts';
import type { Gating } from '../suites/bar/rules.ts';
import type { PackStore } from '../suites/packs/packedSuites.ts';
import { packRevision } from '../suites/packs/packedSuites.ts';
import { writeChunks } from '../suites/packs/writeChunks.ts';
import type { CaseCounts, SuiteToRun } from '../suites/ports.ts';
import { type ResolvedSuite, revisionOf } from '../suites/resolveSuite.ts';

interface PackDeps extends Ambient {
  readonly packs: PackStore;
  readonly judgeIdentity: JudgeIdentity;
}

interface Place {
  readonly orgId: string;
  readonly at: ResolvedSuite;
}

const suiteRevisionOf = ({ judgeIdentity }: PackDeps, { orgId, at }: Place) => ({
  orgId,
  suiteId: at.head.suiteId,
  revision: packRevision(revisionOf(at), judgeIdentity),
});

/** Smaller ones are read in some 50 units, which a pack would not repay before it expires. */
const PACKED_BYTES_MIN = 200_000;

/** Suites with judges are packed by the evaluator: their cases are read there only. */
export const isWorthPacking = (judgedCases: number, { isTooLarge, bytes }: SuiteToRun): boolean =>
  judgedCases === 0 && !isTooLarge && bytes >= PACKED_BYTES_MIN;

/** `loaded` if its cases are needed and the suite can be scored at once. Undefined for a suite that is not packed. */
export async function loadPacked(
  deps: PackDeps,
  place: Place,
  { needsCases }: { readonly needsCases: boolean },
): Promise<FromPack | undefined> {
  const { packs, now } = deps;
  const at = suiteRevisionOf(deps, place);
  const pack = await packs.pack(at, now());
  if (pack === undefined) return undefined;
  const { passThreshold, gates, keepOutputs, totalCases, judgedCases, extraOutputs } = pack;
  const { gatingCases, firstAdvisoryEnd } = pack;
  const counts = { cases: totalCases, judged: judgedCases, extraOutputs, gating: gatingCases };
  const digest = pack.suiteDigest;
  const isTooLarge = pack.expectedCharacters > EXPECTED_CHARACTERS_MAX;
  if (!needsCases || isTooLarge) return { counts, digest, firstAdvisoryEnd, loaded: undefined };
  const cases = await packs.packedCases(at, pack);
  const bar = { passThreshold, gates, keepOutputs };
  return cases && { counts, digest, firstAdvisoryEnd, loaded: { ...bar, isTooLarge, cases, bytes: 0 } };
}

interface FromPack {
  readonly counts: CaseCounts;
  readonly digest: string;
  readonly firstAdvisoryEnd: Gating['firstAdvisoryEnd'];
  readonly loaded: SuiteToRun | undefined;
}

/** By one function, however many have read the suite since it changed. */
export async function packLoaded(
  deps: PackDeps,
  place: Place,
  { passThreshold, gates, keepOutputs, cases }: SuiteToRun,
  { digest }: { readonly digest: string | undefined },
): Promise<void> {
  if (digest === undefined) return;
  const { packs, now, newId } = deps;
  const at = suiteRevisionOf(deps, place);
  const startedAtMs = now();
  if (!(await packs.claimPack(at, startedAtMs))) return;
  const planner = newId();
  const planned = cases.map((evalCase) => ({ ...evalCase, input: {} }));
  const written = await writeChunks(packs, { ...at, planner, startedAtMs }, [planned]);
  const bar = { passThreshold, gates, keepOutputs };
  // Suites with judges are packed by the evaluator.
  const known = { planner, suiteDigest: digest, judgeModels: [] };
  await packs.savePack(at, { ...written, ...bar, ...known }, startedAtMs);
}
