import path from 'node:path';
import { filesOf } from '../../files/disk/globs.ts';
import { findWorkTree, Repository } from '../../files/disk/repository.ts';
import { type Source, sourceOf } from '../../files/push/source.ts';
import { type Problem, Problems, startOf } from '../../files/read/problems.ts';
import { casePlaces } from '../../files/resolve/casePlaces.ts';
import { defineSuites } from '../../files/resolve/definition.ts';
import { loadFilesOf } from '../../files/resolve/loadFiles.ts';
import { refuseEmptySelection } from '../../files/resolve/selection.ts';
import { type SentDefinition, sentDefinition } from '../../files/resolve/sentDefinition.ts';
import type { Plan } from '../../gate/report/plan.ts';

export interface Params {
  /** The path of evalgate.yaml. */
  readonly config: string;
  readonly workspace: string;
  /** Patterns of files from the folder of evalgate.yaml; none for those that it names. */
  readonly patterns: readonly string[];
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SuiteOfFile {
  readonly suite: string;
  /** From the workspace. */
  readonly file: string;
  readonly definition: SentDefinition;
  readonly source: Source;
  /** Lines of cases, by their keys. */
  readonly places: ReturnType<typeof casePlaces>;
}

/** A suite of the files with its plan, or with what was pushed. */
export interface AnsweredPlan extends Plan {
  readonly file: SuiteOfFile;
}

/** Suites in files, as they are sent, or what is wrong with the files. It is bundled apart. */
export async function readSuites(params: Params): Promise<{ suites: SuiteOfFile[]; problems: Problem[] }> {
  const { config, workspace, patterns, project, env } = params;
  const problems = new Problems();
  const repository = new Repository(path.dirname(config));
  const name = path.basename(config);
  const names = patterns.flatMap((pattern) => {
    const files = filesOf(repository.root, pattern);
    if ('names' in files && files.names.length > 0) return files.names;
    problems.error(
      startOf(name),
      `"${pattern}" of the input files ${'why' in files ? files.why : 'names no file'}`,
    );
    return [];
  });
  const loaded = loadFilesOf(repository, problems, patterns.length === 0 ? undefined : names, name);
  if (loaded !== undefined)
    refuseEmptySelection(loaded, problems, patterns.length === 0 ? undefined : names, name);
  const defined = loaded === undefined ? [] : await defineSuites(loaded, problems, Date.now());
  const suites = defined.map((definition) => {
    const file = repository.absolute(definition.file);
    const { slug: suite } = definition.suite;
    return {
      suite,
      file: path.relative(workspace, file).split(path.sep).join('/'),
      definition: sentDefinition(definition),
      source: sourceOf(env, findWorkTree(repository.root), file),
      places: casePlaces(config, workspace, { suite, project }),
    };
  });
  return { suites, problems: problems.sorted() };
}
