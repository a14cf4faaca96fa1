import { pulled } from '../../../../clients/files/pull/pull.ts';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import type { Definition } from '../../../../shared/contracts/definitions.ts';
import { NOW, writeFiles } from '../repository.ts';

/** Pulls into a folder, and writes what is to be written. */
export async function pullInto(folder: string, ...definitions: readonly Definition[]) {
  const problems = new Problems();
  const written = await pulled(folder, definitions, { folder: 'evals', nowMs: NOW }, problems);
  const texts = Object.fromEntries(written?.texts ?? []);
  writeFiles(folder, texts);
  const errors = problems.sorted().filter(({ severity }) => severity === 'error');
  return { texts, notes: written?.notes ?? [], messages: errors.map(problemLine) };
}
