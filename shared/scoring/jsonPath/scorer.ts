import { type Shown, scorerOutput, showList } from '../kit/debugOutput.ts';
import type { CompiledScorer, Guard, Outcome, ScorerError } from '../kit/definition.ts';
import { configInvalid, erroredOutcome } from '../kit/errors.ts';
import { isRangeError, messageOf } from '../kit/guard.ts';
import type { Expected } from '../kit/reading/expected.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { shownAssertions } from '../kit/shownOutputs.ts';
import { cut, toReason } from '../kit/text.ts';
import { type Check, checkOf, type Finding } from './assertions.ts';
import { type Config, pointerOf } from './config.ts';
import { type Target, targetOf } from './target.ts';

export { checkAssertions } from './check.ts';

const FAILED_MAX = 20;

interface Compiled {
  readonly config: Config;
  readonly checks: readonly Check[];
  readonly shown: Shown;
}

export function jsonPathScorer(config: Config, guard: Guard): CompiledScorer {
  let compiled: Compiled | undefined;
  return {
    guard,
    usesExpected: config.assertions.some(({ value }) => pointerOf(value) !== null),
    score(subject, expected): Outcome {
      try {
        const targets = targetsOf(config, expected);
        if ('code' in targets) return erroredOutcome(targets);
        compiled ??= {
          config,
          checks: config.assertions.map(checkOf),
          shown: shownAssertions(config.assertions),
        };
        return scored(compiled, targets, subject);
      } catch (error) {
        return isRangeError(error) ? erroredOutcome(guard.timeout) : configInvalid(messageOf(error));
      }
    },
    reset() {
      compiled = undefined;
    },
  };
}

function targetsOf({ assertions }: Config, expected: Expected): Target[] | ScorerError {
  const targets: Target[] = [];
  for (const assertion of assertions) {
    const target = targetOf(assertion, expected);
    if ('code' in target) return target;
    targets.push(target);
  }
  return targets;
}

function scored(compiled: Compiled, targets: readonly Target[], subject: Subject): Outcome {
  const { config, checks } = compiled;
  const json = subject.extracted(config.extract);
  if (!json.parsed.ok) return unusable(compiled, json.parsed.reason);
  const findings: Finding[] = [];
  for (const [index, check] of checks.entries()) {
    const target = targets[index];
    const finding = target && check(json, target, index);
    if (finding) findings.push(finding);
  }
  const total = checks.length;
  const held = total - findings.length;
  return {
    score: config.partial ? held / total : held === total ? 1 : 0,
    reason: toReason(inWords(held, total, findings)),
    output: debugOutput(compiled, held, findings),
    errored: false,
  };
}

/** Of an output without JSON no assertion holds, not even that something is absent. */
function unusable(compiled: Compiled, why: string): Outcome {
  return { score: 0, reason: toReason(why), output: debugOutput(compiled, 0, []), errored: false };
}

function inWords(held: number, total: number, findings: readonly Finding[]): string {
  const all = total === 1 ? 'the assertion' : `all ${total} assertions`;
  if (held === total) return total === 1 ? `${all} holds` : `${all} hold`;
  const named = findings.slice(0, 3).map(({ message }) => message);
  const more = findings.length > named.length ? [`and ${findings.length - named.length} more`] : [];
  return `${held} of ${total} assertions hold: ${[...named, ...more].join('; ')}`;
}

function debugOutput({ config, shown }: Compiled, held: number, findings: readonly Finding[]) {
  const failed = showList(findings.slice(0, FAILED_MAX), (finding, length) => ({
    ...finding,
    message: cut(finding.message, length),
  }));
  const fields = { assertions: shown.value, failed: failed.value, held, total: config.assertions.length };
  return scorerOutput(fields, shown, failed);
}
