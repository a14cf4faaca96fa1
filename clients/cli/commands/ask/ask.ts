import { createHash } from 'node:crypto';
import { Problems } from '../../../files/read/problems.ts';
import { type CaseInput, caseInputs } from '../../../gate/outputs/cases.ts';
import { INPUT_DIGEST, inputDigest } from '../../../gate/outputs/questions.ts';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { shellWord } from '../../../gate/report/escape.ts';
import { counted } from '../../../gate/report/numbers.ts';
import { readOutputs } from '../../../importers/outputs/readOutputs.ts';
import type { OutputItem } from '../../../sdk/index.ts';
import { type Context, connect, type Handler } from '../../context.ts';
import { ID_TOKEN_VARIABLE } from '../../idToken.ts';
import { sourceOf } from '../../input/readText.ts';
import type { Io } from '../../io.ts';
import { findSuite } from '../../output/findSuite.ts';
import { stopAtErrors } from '../../output/problems.ts';
import { type Progress, startProgress } from '../../output/progress.ts';
import { Problem } from '../../problem.ts';
import { type Answer, Commands, type Program } from './command.ts';
import { type AskOptions, checked } from './options.ts';
import { OutputsFile } from './outputsFile.ts';

/** What a program of the candidate gets: no credential of the gate. */
function withoutCredentials({ io, globals }: Context): Io['env'] {
  const hidden = ['EVALGATE_API_KEY', ID_TOKEN_VARIABLE, globals.idTokenEnv];
  return Object.fromEntries(Object.entries(io.env).filter(([name]) => !hidden.includes(name)));
}

/** Has a command answer each case of a suite, and writes what it printed as outputs. */
export const ask: Handler<AskOptions> = async (context, [suite = '', ...command], options) => {
  const { io, terminal } = context;
  const [jobs, timeoutMs] = checked(io, command, options);
  const connected = connect(context);
  const foundSuite = await findSuite(connected, suite);
  const cases = await caseInputs(connected.gate, foundSuite.id, io.signal);
  if (cases.length === 0) throw new Problem(`The suite ${suite} has no active case.`);
  const file = new OutputsFile(io, options.out);
  const before = options.resume ? file.read() : [];
  const { kept, open } = answered(cases, command, before);
  refuseOthers(options.out, kept, before);
  const program = { command, cwd: io.cwd, env: withoutCredentials(context), timeoutMs };
  const all = kept.length + open.length;
  if (kept.length > 0)
    terminal.say(
      `${counted(kept.length, 'output')} of ${all} are kept from before: --overwrite asks a changed program anew.`,
    );
  file.open(options, kept);
  const tally = await askAll(context, { program, jobs, open, file, all });
  const had = all - open.length + tally.answered;
  if (io.signal.aborted) {
    const isAsBefore = options.overwrite === true && tally.answered === 0;
    terminal.warn(
      isAsBefore
        ? `Nothing was answered, and ${options.out} is as it was before.`
        : `${had} of ${counted(all, 'output')} are in ${options.out}: --resume asks for the others.`,
    );
    return EXIT.interrupted;
  }
  if (tally.errors > 0) {
    terminal.warn(`${counted(tally.errors, 'answer')} of ${all} failed, such as ${tally.firstError}`);
    if (tally.errors === all && !options.run) throw new Problem('No command gave an answer.');
  }
  if (tally.mended > 0) {
    terminal.warn(`${counted(tally.mended, 'answer')} not in UTF-8 got U+FFFD for what could not be read.`);
  }
  terminal.say(`${counted(all, 'output')} in ${options.out}`);
  return options.run ? gate(context, foundSuite.slug, options) : check(context, options.out);
};

interface Question extends CaseInput {
  readonly sample: number;
  readonly digest: string;
}

/** What the same command has answered to the same input already, and what is open. Errors are open. */
function answered(cases: readonly CaseInput[], command: readonly string[], items: readonly OutputItem[]) {
  const byCase = Map.groupBy(items, ({ case: key }) => key);
  const open: Question[] = [];
  const kept = cases.flatMap((caseInput) => {
    const digest = digestOf(command, caseInput.input);
    const same = (byCase.get(caseInput.case) ?? []).filter(
      ({ output, metadata }) => output !== undefined && metadata?.question_digest === digest,
    );
    for (let sample = same.length + 1; sample <= caseInput.samples; sample++)
      open.push({ ...caseInput, sample, digest });
    return same.slice(0, caseInput.samples);
  });
  return { kept, open };
}

/** Answers of another command are of another candidate, and those of another suite would be lost. */
function refuseOthers(out: string, kept: readonly OutputItem[], before: readonly OutputItem[]): void {
  if (kept.length > 0 || before.every(({ output }) => output === undefined)) return;
  const hint = '--overwrite begins anew, and --out names another file.';
  throw new Problem(`No output in ${out} is of this command and of what this suite asks now.`, hint);
}

/** Short: it is there to see whether what is asked, or who is, has changed. */
const digestOf = (command: readonly string[], input: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([command, input]))
    .digest('hex')
    .slice(0, 16);

interface Asking {
  readonly program: Program;
  readonly jobs: number;
  readonly open: readonly Question[];
  readonly file: OutputsFile;
  /** Outputs that there will be. */
  readonly all: number;
}

interface Tally {
  answered: number;
  errors: number;
  firstError: string;
  mended: number;
}

async function askAll(
  { io, terminal }: Context,
  { program, jobs, open, file, all }: Asking,
): Promise<Readonly<Tally>> {
  const tally: Tally = { answered: 0, errors: 0, firstError: '', mended: 0 };
  const [before, waiting] = [all - open.length, open.values()];
  const progress = startProgress(io, terminal, `Asking for ${counted(open.length, 'output')}`);
  const commands = new Commands();
  const stop = (): void => commands.killAll();
  io.signal.addEventListener('abort', stop);
  const work = async (): Promise<void> => {
    for (const question of waiting) {
      if (io.signal.aborted) return;
      const answer = await commands.ask(program, requestOf(question));
      // One that was killed for it is no answer.
      if (io.signal.aborted) return;
      count(tally, question, answer);
      file.add(itemOf(question, answer));
      show(progress, io.stderr.isTTY === true, { done: before + tally.answered, all, errors: tally.errors });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, open.length) }, work));
    return tally;
  } finally {
    progress.stop();
    io.signal.removeEventListener('abort', stop);
    commands.close();
    file.close();
  }
}

const requestOf = ({ case: key, input, sample }: Question) => ({
  stdin: JSON.stringify(input),
  env: { EVALGATE_CASE: key, EVALGATE_SAMPLE: String(sample) },
});

function itemOf({ case: key, digest, input }: Question, answer: Answer): OutputItem {
  const outcome = 'error' in answer ? { error: answer.error } : { output: answer.output };
  const metadata = { latency_ms: answer.ms, question_digest: digest, [INPUT_DIGEST]: inputDigest(input) };
  return { case: key, ...outcome, metadata };
}

function count(tally: Tally, { case: key }: Question, answer: Answer): void {
  tally.answered++;
  if (!('error' in answer)) {
    if (answer.isMended) tally.mended++;
    return;
  }
  tally.errors++;
  tally.firstError ||= `${key}: ${answer.error}`;
}

/** Logs get ten lines. */
function show(
  progress: Progress,
  isTerminal: boolean,
  { done, all, errors }: { readonly done: number; readonly all: number; readonly errors: number },
): void {
  if (!isTerminal && Math.floor((done * 10) / all) === Math.floor(((done - 1) * 10) / all)) return;
  const failed = errors === 0 ? '' : `, ${errors} failed`;
  progress.update(`${done} of ${counted(all, 'output')}${failed}`);
}

/** Warns of what a run would warn of. */
async function check({ io, terminal }: Context, out: string): Promise<number> {
  const problems = new Problems();
  readOutputs(out, await sourceOf(io, out), problems);
  stopAtErrors(problems, terminal);
  return EXIT.done;
}

/** What was answered is not asked again where the run fails. */
async function gate(context: Context, suite: string, options: AskOptions): Promise<number> {
  const { out: outputs, wait, report, meta, waivers } = options;
  const { run } = await import('../run.ts');
  const { project } = context.globals;
  const again = ['evalgate', 'run', suite, ...(project ? ['--project', project] : []), '--outputs', outputs];
  const given = { outputs: [outputs], wait, waivers, again: again.map(shellWord).join(' ') };
  return run(context, [suite], { ...given, ...(report && { report }), ...(meta && { meta }) });
}
