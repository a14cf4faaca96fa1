import type { ConfigIssue } from '../engine/definition.ts';
import { clip } from '../engine/text.ts';
import type { CheckTime } from '../execution/checkTime.ts';
import { isRangeError, messageOf } from '../execution/guard.ts';
import { whyUnusable } from '../patterns/check.ts';
import type { Assertion, Config } from './config.ts';
import { parsePath } from './parser.ts';

/** Paths and patterns that cannot be used, found when they are written. */
export function checkAssertions({ assertions }: Config, limitMs: number, time: CheckTime): ConfigIssue[] {
  let issues: ConfigIssue[] = [];
  const finished = time.lastsFor(limitMs, () => {
    issues = assertions.flatMap((assertion, at) => issuesOf(assertion, `config.assertions.${at}`));
  });
  return finished
    ? issues
    : [{ path: 'config.assertions', message: 'take too long to compile: simplify them' }];
}

function issuesOf(assertion: Assertion, at: string): ConfigIssue[] {
  return [
    ...issueOf(`${at}.path`, () => parsePath(assertion.path)),
    ...issueOf(`${at}.value`, () => checkPattern(assertion)),
  ];
}

function checkPattern({ op, value, flags = '' }: Assertion): void {
  const message = op === 'matches' ? whyUnusable(String(value), flags) : null;
  if (message !== null) throw new Error(message);
}

function issueOf(path: string, attempt: () => unknown): ConfigIssue[] {
  try {
    attempt();
    return [];
  } catch (error) {
    const message = isRangeError(error) ? 'nests too deep or is too large' : messageOf(error);
    return [{ path, message: clip(message, 400).toWellFormed() }];
  }
}
