import { rmSync, writeFileSync } from 'node:fs';
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
  const kept = options.predicate === undefined ? undefined : path.resolve(io.cwd, options.predicate);
  // One of an earlier call proves nothing of this statement.
  if (kept !== undefined) removeFile(kept);
  const signed = readStatement(await readText(io, file), keys);
  const failed = conditions.filter(({ holds }) => !holds(signed));
  if (kept !== undefined && failed.length === 0) writePredicate(kept, signed);
  if (globals.json) {
    const { predicate, outputs, commits } = signed;
    const failures = failed.map(({ option }) => option);
    terminal.data(
      `${safeJson({ verified: failed.length === 0, failures, outputs, commits, predicate }, 2)}\n`,
    );
  }
  for (const { option, wanted, found } of failed)
    terminal.fail(`${option} ${terminalLine(wanted)}: the statement has ${terminalLine(found(signed))}`);
  if (failed.length > 0) return EXIT.aborted;
  terminal.say(
    `${signed.policy.name} cleared the outputs sha256:${terminalLine(signed.outputs)} (${terminalLine(signed.runId)}).`,
  );
  terminal.say(NOT_CLAIMED);
  return EXIT.done;
};

const NOT_CLAIMED =
  'Not proven: that the outputs are those of the candidate (a job sent them: its workflow has to be trusted), that the bar is good, when the outputs were made, that the commit had no other runs, that the clock of the service is right, that a file was built from the commit.';

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw new Problem(`${file} cannot be replaced: ${systemReason(error)}.`);
  }
}

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
  const organisation = named('organisation', options.organisation);
  const place = `${named('project', project)}/${named('suite', options.suite)}`;
  named('keys', options.keys);
  const all: readonly (Condition | undefined)[] = [
    ofOrganisation(organisation),
    isEqual('project and --suite', place, ({ policy }) => policy.name),
    optional('commit', commit, ofCommit),
    optional('repository', repository, ofRepository),
    optional('ref', ref, (wanted) => ofRef(wanted, isAddress(repository))),
    optional('workflow', workflow, ofWorkflow),
    optional('bar', bar, (wanted) =>
      isEqual('bar', digestOf(wanted), ({ policy }) => `sha256:${policy.sha256}`),
    ),
    optional('bar-stood', barStood, ofStanding),
    optional('max-age', maxAge, (span) => ofAge(span, now)),
  ];
  return all.filter((condition) => condition !== undefined);
}

/** An empty value, such as that of a variable that is not set, is no condition that was left out. */
function optional<T>(option: string, value: string | undefined, make: (value: string) => T): T | undefined {
  if (value === '') throw new Problem(`--${option} is empty.`, 'Is a variable not set?');
  return value === undefined ? undefined : make(value);
}

const isEqual = (option: string, wanted: string, found: (signed: Signed) => unknown): Condition => ({
  option: `--${option}`,
  wanted,
  found: (signed) => String(found(signed) ?? 'none'),
  holds: (signed) => found(signed) === wanted,
});

/** An id, or the whole verifier: a copy of the service has the same ids and keys. */
function ofOrganisation(wanted: string): Condition {
  if (wanted.includes('/organisations/')) return isEqual('organisation', wanted, ({ verifier }) => verifier);
  const id = checked('organisation', wanted.toLowerCase(), /^[0-9a-f-]{36}$/, 'its id');
  return isEqual('organisation', id, ({ verifier }) => /\/organisations\/([^/]+)$/.exec(verifier)?.[1]);
}

/**
 * What a job is of counts only where its event proves the commit: a job of another one has the repository's ref and workflow
 * while it judges what a stranger sent.
 */
const ofJob = (option: string, wanted: string, names: (signed: Signed) => readonly unknown[]): Condition => {
  const known = (signed: Signed) => (signed.commits.length === 0 ? [] : names(signed));
  return {
    option: `--${option}`,
    wanted,
    found: (signed) =>
      signed.commits.length === 0
        ? 'no job whose event proves what it judged'
        : known(signed)
            .filter((name) => name !== undefined)
            .join(', ') || 'none',
    holds: (signed) => known(signed).includes(wanted),
  };
};

const isAddress = (repository: string | undefined): boolean => repository?.startsWith('https://') === true;
/** Jobs of other systems name nothing that one of GitHub could not be called. */
const ofGithub = ({ job }: Signed, ...names: readonly unknown[]) => (job.provider === undefined ? names : []);

const ofRepository = (wanted: string): Condition =>
  ofJob('repository', wanted, (signed) =>
    isAddress(wanted)
      ? signed.commits.map(({ repository }) => repository)
      : ofGithub(signed, signed.job.repository),
  );

const ofRef = (wanted: string, isBound: boolean): Condition =>
  ofJob('ref', wanted, (signed) => (isBound ? [signed.job.ref] : ofGithub(signed, signed.job.ref)));

/** The file as registrations name it, or the whole reference of the workflow that the job is of. */
const ofWorkflow = (wanted: string): Condition =>
  ofJob('workflow', wanted, (signed) => {
    const { workflow, jobWorkflowRef } = signed.job;
    const file = String(workflow).replace(/^\.github\/workflows\//, '');
    return ofGithub(signed, workflow, file, jobWorkflowRef);
  });

const ofCommit = (commit: string): Condition => {
  const sha = checked('commit', commit, COMMIT, 'a commit in full');
  return ofJob('commit', sha, ({ commits }) => commits.map((one) => one.sha));
};

const digestOf = (bar: string): string => checked('bar', bar, BAR, 'the digest of a bar');

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
