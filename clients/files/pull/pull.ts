import type { Definition } from '../../../shared/contracts/definitions.ts';
import { CONFIG_FILE } from '../disk/repository.ts';
import { Problems, startOf } from '../read/problems.ts';
import { isSameJson } from '../read/sameJson.ts';
import { defineAll, type SuiteDefinition } from '../resolve/definition.ts';
import { type LoadedFiles, loadFilesOf } from '../resolve/loadFiles.ts';
import { sentDefinition } from '../resolve/sentDefinition.ts';
import { Changes, type Written } from './changes.ts';
import { Drafts } from './drafts.ts';

export type { Definition };

export interface PullOptions {
  /** Where files of new suites go, from the folder of evalgate.yaml. */
  readonly folder: string;
  /** Of the schema that editors use. */
  readonly schema?: string | undefined;
  readonly nowMs: number;
}

/**
 * What files say next, so that they mean what the service has. Undefined where something is in the way: `problems` say
 * what. Nothing is written.
 */
export async function pulled(
  root: string,
  definitions: readonly Definition[],
  options: PullOptions,
  problems: Problems,
): Promise<Written | undefined> {
  const repository = new Drafts(root);
  const loaded = loadFilesOf(repository, problems);
  if (loaded === undefined) return undefined;
  const now = await defineAll(loaded, problems, options.nowMs);
  refuseDeletedScorers(definitions, loaded, problems);
  if (problems.hasErrors) return undefined;
  const changes = new Changes(loaded, now, options);
  for (const definition of definitions) changes.add(definition);
  const written = changes.written();
  const check = { loaded, before: now.suites, written, definitions, nowMs: options.nowMs };
  const faults = await faultsOf(root, check);
  if (!faults.hasErrors) return written;
  for (const { message, severity, ...place } of faults.sorted())
    if (severity === 'error') problems.error(place, message);
  return undefined;
}

/** A file cannot name them. */
function refuseDeletedScorers(
  definitions: readonly Definition[],
  { suites }: LoadedFiles,
  problems: Problems,
) {
  for (const { suite, cases } of definitions) {
    const orphans = cases.filter(({ scorer }) => scorer === null).map(({ key }) => key);
    if (orphans.length === 0) continue;
    const file = suites.find(({ head }) => head?.suite === suite)?.file ?? CONFIG_FILE;
    problems.error(
      startOf(file),
      `the suite "${suite}" has cases whose scorer was deleted: give them others at the service first (${orphans.slice(0, 5).join(', ')})`,
    );
  }
}

interface Check {
  readonly loaded: LoadedFiles;
  readonly before: readonly SuiteDefinition[];
  readonly written: Written;
  readonly definitions: readonly Definition[];
  readonly nowMs: number;
}

/** What would be wrong with the files: they are read before they are written. */
async function faultsOf(
  root: string,
  { loaded, before, written, definitions, nowMs }: Check,
): Promise<Problems> {
  const problems = new Problems();
  const drafts = new Drafts(root);
  for (const [name, text] of written.texts) drafts.texts.set(name, text);
  const names = new Set([
    ...loaded.suites.map(({ file }) => file),
    ...written.suites.map(({ file }) => file),
  ]);
  const reread = loadFilesOf(drafts, problems, [...names]);
  const { suites } = reread === undefined ? { suites: [] } : await defineAll(reread, problems, nowMs);
  if (problems.hasErrors) return problems;
  const intended = new Map<string, unknown>(definitions.map((definition) => [definition.suite, definition]));
  for (const suite of before) {
    if (!intended.has(suite.suite.slug))
      intended.set(suite.suite.slug, withoutScorers(sentDefinition(suite)));
  }
  for (const suite of suites) {
    const sent = sentDefinition(suite);
    const expected = intended.get(suite.suite.slug);
    const isSought = isSameJson(sent, expected) || isSameJson(withoutScorers(sent), expected);
    if (!isSought) problems.error(startOf(suite.file), UNSAYABLE);
  }
  return problems;
}

const UNSAYABLE =
  'cannot say what the service has of this suite: it may have changed while it was read, or holds what no file can';

const withoutScorers = ({ scorers: _, ...definition }: ReturnType<typeof sentDefinition>) => definition;
