import { existsSync } from 'node:fs';
import path from 'node:path';
import { filesOf } from '../../../files/disk/globs.ts';
import { findRoot, isOutside, Repository } from '../../../files/disk/repository.ts';
import type { Written } from '../../../files/pull/changes.ts';
import { type Definition, pulled } from '../../../files/pull/pull.ts';
import { Problems } from '../../../files/read/problems.ts';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { safeJson, terminalLine } from '../../../gate/report/escape.ts';
import { type Evalgate, NotFoundError } from '../../../sdk/index.ts';
import { type Context, connect, type Handler } from '../../context.ts';
import { nameOf } from '../../input/options.ts';
import { FileProblem, Problem } from '../../problem.ts';
import { readProjectFile } from '../../settings/projectFile.ts';
import { projectOf } from './plans.ts';
import { writeFiles } from './writeFiles.ts';

/** Writes what the service has of suites into their files. */
export const pull: Handler<{ readonly dir: string }> = async (context, named, { dir }) => {
  const { io } = context;
  const root = findRoot(io.cwd);
  if (root === undefined) {
    throw new Problem('There is no evalgate.yaml in this folder or above.', 'evalgate init makes one.');
  }
  const repository = new Repository(root);
  const folder = folderOf(repository, dir);
  const { gate, settings } = connect(context);
  const project = await projectOf({ gate, settings });
  const definitions = await definitionsOf(context, gate, { project, named });
  if (definitions.length === 0) {
    throw new Problem(
      `The project ${project} has no suite: nothing was pulled.`,
      'evalgate push makes one of a file.',
    );
  }
  const problems = new Problems();
  const schema = `${settings.url}/schema/suite.v1.json`;
  const written = await pulled(root, definitions, { folder, schema, nowMs: Date.now() }, problems);
  if (written === undefined) throw new FileProblem(problems);
  refuseOthers(repository, written);
  writeFiles(repository, written.texts);
  printSummary(context, written);
  warnOfUnnamed(context, repository, written);
  return EXIT.done;
};

function folderOf(repository: Repository, dir: string): string {
  const name = repository.nameOf(path.resolve(repository.root, dir));
  if (!isOutside(name)) return name;
  throw new Problem(
    `--dir ${dir} is outside of ${repository.root}.`,
    'Suites lie in the folder of evalgate.yaml.',
  );
}

async function definitionsOf(
  { io }: Context,
  gate: Evalgate,
  { project, named }: { readonly project: string; readonly named: readonly string[] },
): Promise<Definition[]> {
  const slugs = new Set(named.map((slug) => nameOf('slug of a suite', slug)));
  if (named.length === 0) {
    for await (const { slug } of gate.suites.list(project, {}, { signal: io.signal })) slugs.add(slug);
  }
  const definitions: Definition[] = [];
  for (const slug of [...slugs].sort()) {
    const answer = await gate.definitions.get(project, slug, { signal: io.signal }).catch((error) => {
      if (!(error instanceof NotFoundError)) throw error;
      throw new Problem(`There is no suite ${slug} in ${project}.`, 'Which there are: evalgate runs');
    });
    definitions.push(answer.definition as Definition);
  }
  return definitions;
}

/** A new suite whose place is taken by something else. */
function refuseOthers(repository: Repository, { suites }: Written): void {
  const taken = suites.find(({ file, isNew }) => isNew && existsSync(repository.absolute(file)));
  if (taken === undefined) return;
  throw new Problem(
    `${taken.file} is there already and is not the suite ${taken.suite}: nothing was written.`,
    'Move it, name it in `suites` of evalgate.yaml, or name another folder by --dir.',
  );
}

function printSummary({ terminal, globals }: Context, { texts, suites, notes }: Written): void {
  if (globals.json) {
    terminal.data(`${safeJson({ suites, files: [...texts.keys()], notes }, 2)}\n`);
    return;
  }
  for (const name of texts.keys()) terminal.report(`wrote ${terminalLine(name)}\n`);
  for (const note of notes) terminal.warn(note);
  if (texts.size === 0) terminal.say('nothing to change');
}

/** A push of all suites would leave them out. */
function warnOfUnnamed({ io, terminal }: Context, { root }: Repository, { suites }: Written): void {
  const patterns = readProjectFile(io).suites ?? [];
  const named = new Set(
    patterns.flatMap((pattern) => {
      const files = filesOf(root, pattern);
      return 'names' in files ? files.names : [];
    }),
  );
  for (const { file, isNew } of suites) {
    if (isNew && !named.has(file))
      terminal.warn(`no pattern of \`suites\` in evalgate.yaml names ${file}: add one`);
  }
}
