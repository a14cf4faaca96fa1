import path from 'node:path';
import { isOwnEvent } from '../../files/config/ownEvents.ts';
import { CONFIG_FILE, findRoot, findWorkTree } from '../../files/disk/repository.ts';
import { casePlaces } from '../../files/resolve/casePlaces.ts';
import type { CasePlace, ReportedRun } from '../../gate/report/types.ts';
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
