import { AppError } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import type { ProjectReader, SuiteReader } from '../../suites/ports.ts';
import { type ResolvedSuite, resolveSuite } from '../../suites/resolveSuite.ts';

type Deps = { projects: ProjectReader; suites: SuiteReader };
type Requested = { suite: string; project?: string | undefined };

/** The suite that a run names. Where there is none, the error says which ones the credential may run. */
export async function suiteOfRun(
  deps: Deps,
  principal: Principal,
  requested: Requested,
): Promise<ResolvedSuite> {
  try {
    return await resolveSuite(deps, principal, requested);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    const { suitesToRun } = await import('./suitesToRun.ts');
    const suites = await suitesToRun(deps, principal, requested.project);
    throw new AppError(error.code, error.message, { suites });
  }
}
