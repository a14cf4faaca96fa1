import { writeChunks } from '../evaluation/planning/planChunks.ts';
import type { Ambient } from '../ports.ts';
import { EXPECTED_CHARACTERS_MAX } from '../suites/limits.ts';
import type { PackStore } from '../suites/packedSuites.ts';
import type { CaseCounts, SuiteToRun } from '../suites/ports.ts';
import { type ResolvedSuite, revisionOf } from './resolveSuite.ts';

interface PackDeps extends Ambient {
  readonly packs: PackStore;
}

interface Place {
  readonly orgId: string;
  readonly at: ResolvedSuite;
}

const suiteRevisionOf = ({ orgId, at }: Place) => ({
  orgId,
  suiteId: at.head.suiteId,
  revision: revisionOf(at),
});

/** Smaller ones are read in some 50 units, which a pack would not repay before it expires. */
const PACKED_BYTES_MIN = 200_000;

/** Suites with judges are packed by the evaluator: their cases are read there only. */
export const isWorthPacking = (judgedCases: number, { isTooLarge, bytes }: SuiteToRun): boolean =>
  judgedCases === 0 && !isTooLarge && bytes >= PACKED_BYTES_MIN;

/** `loaded` if its cases are needed and the suite can be scored at once. Undefined for a suite that is not packed. */
export async function loadPacked(
  { packs, now }: PackDeps,
  place: Place,
  { needsCases }: { readonly needsCases: boolean },
): Promise<{ readonly counts: CaseCounts; readonly loaded: SuiteToRun | undefined } | undefined> {
  const at = suiteRevisionOf(place);
  const pack = await packs.pack(at, now());
  if (pack === undefined) return undefined;
  const { passThreshold, totalCases, judgedCases, expectedCharacters } = pack;
  const counts = { cases: totalCases, judged: judgedCases };
  const isTooLarge = expectedCharacters > EXPECTED_CHARACTERS_MAX;
  if (!needsCases || isTooLarge || judgedCases > 0) return { counts, loaded: undefined };
  const cases = await packs.packedCases(at, pack);
  return cases && { counts, loaded: { passThreshold, isTooLarge, cases, bytes: 0 } };
}

/** By one function, however many have read the suite since it changed. */
export async function packLoaded(
  { packs, now, newId }: PackDeps,
  place: Place,
  { passThreshold, cases }: SuiteToRun,
): Promise<void> {
  const at = suiteRevisionOf(place);
  const startedAtMs = now();
  if (!(await packs.claimPack(at, startedAtMs))) return;
  const planner = newId();
  const planned = cases.map((evalCase) => ({ ...evalCase, input: {} }));
  const written = await writeChunks(packs, { ...at, planner, startedAtMs }, [planned]);
  await packs.savePack(at, { ...written, planner, passThreshold }, startedAtMs);
}
