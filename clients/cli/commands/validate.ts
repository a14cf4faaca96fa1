import { defineSuites } from '../../suites/definition.ts';
import { loadFiles } from '../../suites/load.ts';
import { harmless, Problems } from '../../suites/read/problems.ts';
import { type CommandIo, counted, EXIT, tellProblems } from './told.ts';

interface ValidateArgs {
  /** From the working directory. None for all that evalgate.yaml names. */
  readonly files: readonly string[];
}

/** Checks files as the service would, without asking it. */
export async function validate({ files }: ValidateArgs, io: CommandIo): Promise<number> {
  const problems = new Problems();
  const loaded = loadFiles(io.cwd, problems, files.length === 0 ? undefined : files);
  const suites = loaded === undefined ? [] : await defineSuites(loaded, problems, Date.now());
  tellProblems(problems, io);
  if (problems.hasErrors) {
    io.stderr(`${counted(problems.errorCount, 'error')}: correct the files, then validate them again\n`);
    return EXIT.callerMustChange;
  }
  for (const { file, suite, cases, scorers } of suites) {
    io.stdout(
      `${suite.slug}  ${counted(cases.length, 'case')}, ${counted(scorers.size, 'scorer')}  ${harmless(file)}\n`,
    );
  }
  if (suites.length === 0)
    io.stderr('evalgate.yaml names no suite that is there: add one, or correct `suites`\n');
  return EXIT.done;
}
