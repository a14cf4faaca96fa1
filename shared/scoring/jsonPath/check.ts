import type { CheckTime } from '../kit/checkTime.ts';
import type { ConfigIssue } from '../kit/definition.ts';
import { isRangeError, messageOf } from '../kit/guard.ts';
import { clip } from '../kit/text.ts';
import { whyUnusable } from '../patterns/check.ts';
import type { Assertion } from './config.ts';
import { parsePath } from './parser.ts';

/** The assertions of a config, and where they stand. */
interface AssertionList {
  readonly assertions: readonly Assertion[];
  readonly path: string;
}

interface Checked {
  readonly lists: readonly AssertionList[];
  /** Those that stand in no assertion. */
  readonly paths?: readonly { readonly path: string; readonly place: string }[];
}

/** Paths and patterns that cannot be used, found when they are written. */
export function checkAssertions(
  { lists, paths = [] }: Checked,
  limitMs: number,
  time: CheckTime,
): ConfigIssue[] {
  const first = lists[0]?.path ?? paths[0]?.place;
  if (first === undefined) return [];
  let issues: ConfigIssue[] = [];
  const finished = time.lastsFor(limitMs, () => {
    const ofLists = lists.flatMap(({ assertions, path }) =>
      assertions.flatMap((assertion, index) => issuesOf(assertion, `${path}.${index}`)),
    );
    issues = [...ofLists, ...paths.flatMap(({ path, place }) => issueOf(place, () => parsePath(path)))];
  });
  return finished ? issues : [{ path: first, message: 'take too long to compile: simplify them' }];
}

function issuesOf(assertion: Assertion, path: string): ConfigIssue[] {
  return [
    ...issueOf(`${path}.path`, () => parsePath(assertion.path)),
    ...issueOf(`${path}.value`, () => checkPattern(assertion)),
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
