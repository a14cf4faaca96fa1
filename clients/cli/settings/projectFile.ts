import { type Config, readConfig } from '../../files/config/configFile.ts';
import { findRoot, Repository } from '../../files/disk/repository.ts';
import { Problems } from '../../files/read/problems.ts';
import type { Io } from '../io.ts';
import { FileProblem } from '../problem.ts';

/** What evalgate.yaml of this folder or of one above says, no further up than the repository goes. */
export function readProjectFile({ cwd }: Pick<Io, 'cwd'>): Partial<Config> {
  const root = findRoot(cwd);
  if (root === undefined) return {};
  const problems = new Problems();
  const read = readConfig(new Repository(root), problems);
  if (read === undefined) throw new FileProblem(problems);
  return read.config;
}
