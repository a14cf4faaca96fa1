import path from 'node:path';
import type { CasePlace, ReportedRun } from '../../report/types.ts';
import { isOwnEvent } from '../../suites/config/ownEvents.ts';
import { CONFIG_FILE, findRoot, findWorkTree } from '../../suites/files/repository.ts';
import { casePlaces } from '../../suites/resolve/casePlaces.ts';
import { type Io, isInActions, variable } from '../io.ts';

/** Where the run's cases stand in the files of this repository. None in a job whose files may be somebody else's. */
export async function placesOf(
  io: Io,
  { suite }: ReportedRun,
): Promise<ReadonlyMap<string, CasePlace> | undefined> {
  const root = findRoot(io.cwd);
  const isForeign = isInActions(io) && !isOwnEvent(variable(io, 'GITHUB_EVENT_NAME') ?? '');
  if (!suite || root === undefined || isForeign) return undefined;
  const base = variable(io, 'GITHUB_WORKSPACE') ?? findWorkTree(root);
  return casePlaces(path.join(root, CONFIG_FILE), base, { suite: suite.slug, project: suite.project_slug });
}
