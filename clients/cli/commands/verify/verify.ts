import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { safeJson, terminalLine } from '../../../gate/report/escape.ts';
import { durationMs } from '../../../sdk/index.ts';
import type { Handler } from '../../context.ts';
import { readText } from '../../input/readText.ts';
import { nowMs } from '../../io.ts';
import { Problem, systemReason } from '../../problem.ts';
import { keysIn } from './keys.ts';
import { readStatement, type Signed } from './statement.ts';

export interface VerifyOptions {
  readonly keys?: string;
  readonly organisation?: string;
  readonly suite?: string;
  readonly commit?: string;
  readonly repository?: string;
  readonly ref?: string;
  readonly workflow?: string;
  readonly bar?: string;
  readonly barStood?: string;
  readonly maxAge?: string;
  readonly predicate?: string;
}

/** A statement by keys that the caller keeps: nothing is sent, and no file but the named ones is read. */
export const verify: Handler<VerifyOptions> = async (context, [file = ''], options) => {
  const { io, terminal, globals } = context;
  const now = nowMs(io);
  // A wrong command line is no verdict about the statement.
  const conditions = conditionsOf(options, globals.project, now);
  const keys = keysIn(named('keys', options.keys), await readText(io, named('keys', options.keys)));
  const signed = readStatement(await readText(io, file), keys);
  const failed = conditions.filter(({ holds }) => !holds(signed));
  if (globals.json) {
    const { kid, predicate, outputs, commits } = signed;
    const failures = failed.map(({ option }) => option);
    terminal.data(
      `${safeJson({ verified: failed.length === 0, failures, kid, outputs, commits, predicate }, 2)}\n`,
    );
  }
  for (const { option, wanted, found } of failed)
    terminal.fail(`${option} ${terminalLine(wanted)}: the statement has ${terminalLine(found(signed))}`);
  if (failed.length > 0) return EXIT.aborted;
  if (options.predicate !== undefined) writePredicate(path.resolve(io.cwd, options.predicate), signed);
  terminal.say(
    `${signed.policy.name} cleared the outputs sha256:${terminalLine(signed.outputs)} (${terminalLine(signed.runId)}).`,
  );
  terminal.say(NOT_CLAIMED);
  return EXIT.done;
};

const NOT_CLAIMED =
  'Not proven: that the outputs are those of the candidate (a job sent them: its workflow has to be trusted), that the bar is good, that the commit had no other runs, that a file was built from the commit.';

function writePredicate(file: string, { predicate }: Signed): void {
  try {
    writeFileSync(file, `${safeJson(predicate)}\n`);
  } catch (error) {
    throw new Problem(`${file} cannot be written: ${systemReason(error)}.`);
  }
}

interface Condition {
  readonly option: string;
  readonly wanted: string;
  readonly found: (signed: Signed) => string;
  readonly holds: (signed: Signed) => boolean;
}

function named(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new Problem(
    `--${name} is missing.`,
    'A statement proves something about one suite of one organisation: --keys, --organisation, --project and --suite are all needed.',
  );
}

function conditionsOf(
  options: VerifyOptions,
  project: string | undefined,
  now: number,
): readonly Condition[] {
  const { commit, repository, ref, workflow, bar, barStood, maxAge } = options;
  const organisation = named('organisation', options.organisation).toLowerCase();
  if (!/^[0-9a-f-]{36}$/.test(organisation)) throw malformed('organisation', organisation, 'its id');
  const place = `${named('project', project)}/${named('suite', options.suite)}`;
  named('keys', options.keys);
  const isEqual = (option: string, wanted: string, found: (signed: Signed) => unknown): Condition => ({
    option: `--${option}`,
    wanted,
    found: (signed) => String(found(signed) ?? 'none'),
    holds: (signed) => found(signed) === wanted,
  });
  return [
    isEqual('organisation', organisation, ({ verifier }) => /\/organisations\/([^/]+)$/.exec(verifier)?.[1]),
    isEqual('project and --suite', place, ({ policy }) => policy.name),
    ...(commit === undefined ? [] : [ofCommit(checked('commit', commit, COMMIT, 'a commit in full'))]),
    ...(repository === undefined ? [] : [isEqual('repository', repository, ({ job }) => job.repository)]),
    ...(ref === undefined ? [] : [isEqual('ref', ref, ({ job }) => job.ref)]),
    ...(workflow === undefined ? [] : [ofWorkflow(workflow)]),
    ...(bar === undefined
      ? []
      : [
          isEqual(
            'bar',
            checked('bar', bar, BAR, 'the digest of a bar'),
            ({ policy }) => `sha256:${policy.sha256}`,
          ),
        ]),
    ...(barStood === undefined ? [] : [ofStanding(barStood)]),
    ...(maxAge === undefined ? [] : [ofAge(maxAge, now)]),
  ];
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const BAR = /^sha256:[0-9a-f]{64}$/;
/** Clocks of the service and of this machine may differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

function checked(option: string, value: string, form: RegExp, what: string): string {
  if (form.test(value)) return value;
  throw malformed(option, value, what);
}

const malformed = (option: string, value: string, what: string): Problem =>
  new Problem(`--${option} ${value} is not ${what}.`);

const ofCommit = (commit: string): Condition => ({
  option: '--commit',
  wanted: commit,
  found: ({ commits }) => commits.join(', ') || 'none',
  holds: ({ commits }) => commits.includes(commit),
});

/** The file as registrations name it, or the whole reference of the workflow that the job is of. */
const ofWorkflow = (workflow: string): Condition => ({
  option: '--workflow',
  wanted: workflow,
  found: ({ job }) =>
    [job.workflow, job.jobWorkflowRef].filter((name) => name !== undefined).join(', ') || 'none',
  holds: ({ job }) =>
    workflow.includes('@')
      ? job.jobWorkflowRef === workflow
      : job.workflow === workflow || job.workflow === `.github/workflows/${workflow}`,
});

const ofStanding = (given: string, leastMs = spanMs('bar-stood', given)): Condition => ({
  option: '--bar-stood',
  wanted: given,
  found: ({ barInForceSince, receivedAt }) => `a bar of ${barInForceSince}, and outputs of ${receivedAt}`,
  holds: ({ barInForceSince, receivedAt }) => Date.parse(receivedAt) - Date.parse(barInForceSince) >= leastMs,
});

const ofAge = (given: string, now: number, mostMs = spanMs('max-age', given)): Condition => ({
  option: '--max-age',
  wanted: given,
  found: ({ timeCreated }) => `the time ${timeCreated}`,
  holds: ({ timeCreated }) => {
    const ageMs = now - Date.parse(timeCreated);
    return ageMs >= -CLOCKS_DIFFER_MS && ageMs <= mostMs;
  },
});

const DAY_MS = 86_400_000;

function spanMs(option: string, given: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(given) ?? [];
  try {
    return days === undefined ? durationMs(given) : Number(days) * DAY_MS;
  } catch {
    throw new Problem(`--${option} ${given} is no duration.`, `Such as --${option} 24h or 30d`);
  }
}
