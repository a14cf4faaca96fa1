import { checkAssertions } from '../jsonPath/check.ts';
import type { CheckOptions, ConfigIssue } from '../kit/definition.ts';
import { issue, pathsIn, patternIssues, patternsIn, ruleIssues } from './checkRules.ts';
import { type Config, type Pattern, type Requested, TIMES_MAX, type Wish } from './config.ts';
import { isOfTool } from './glob.ts';
import { asPattern, isGroup, listOf, maxOf, members, minOf, requiredIn } from './parts.ts';

const PLACES_MAX = 8;

/** Faults that no field has alone. */
export function issuesOf(config: Config, limitMs: number, { dualSided, time }: CheckOptions): ConfigIssue[] {
  const { calls, forbidden } = config;
  const issues = [
    ...(calls === undefined
      ? []
      : [...wishIssues(calls, config, 'config.calls'), ...callsIssues(calls, config, dualSided)]),
    ...boundIssues(config),
    ...forbidden.flatMap((ban, index) => patternIssues(asPattern(ban), `config.forbidden.${index}`)),
    ...clashes(config),
    ...ruleIssues(config),
  ];
  const lists = [...assertionsIn(config)];
  return [...issues, ...checkAssertions({ lists, paths: pathsIn(config) }, limitMs, time)];
}

/** Of a list of expected calls, in a config or a case. */
export function wishIssues(wishes: readonly Wish[], config: Config, path: string): ConfigIssue[] {
  const issues = wishes.flatMap((wish, index) => [
    ...(isGroup(wish) ? groupIssues(wish, config, `${path}.${index}`) : []),
    ...members(wish).flatMap((expectedCall, place) =>
      expectedCallIssues(expectedCall, isGroup(wish) ? `${path}.${index}.${place}` : `${path}.${index}`),
    ),
  ]);
  if (requiredIn(wishes) > TIMES_MAX) issues.push(issue(path, 'must require at most 1,000 calls'));
  return issues;
}

function groupIssues(group: readonly Requested[], config: Config, path: string): ConfigIssue[] {
  const places = group.reduce((sum, expectedCall) => sum + maxOf(expectedCall, config, true), 0);
  return [
    ...(config.order === 'in_order'
      ? []
      : [issue(path, 'must be one call: a group goes only with `in_order`')]),
    ...(group.length > 1 ? [] : [issue(path, 'must hold at least 2 calls: write one without brackets')]),
    ...(places <= PLACES_MAX ? [] : [issue(path, `must have room for at most ${PLACES_MAX} calls`)]),
  ];
}

function expectedCallIssues(expectedCall: Requested, path: string): ConfigIssue[] {
  const { max } = expectedCall;
  return [
    ...patternIssues(expectedCall, path),
    ...(max === undefined || minOf(expectedCall) <= max
      ? []
      : [issue(`${path}.max`, 'must be at least `min`, which is 1 where it is left out')]),
  ];
}

function callsIssues(calls: readonly Wish[], config: Config, dualSided: boolean): ConfigIssue[] {
  const { allow_extra, forbidden, rules, min_calls, max_calls } = config;
  const required = requiredIn(calls);
  const isBounded = forbidden.length > 0 || rules !== undefined || min_calls > 0 || max_calls !== undefined;
  const isCounted = calls.flatMap(members).some(({ max }) => max !== undefined);
  const checksNothing = required === 0 && allow_extra === true && !isBounded && !isCounted;
  return [
    ...(checksNothing ? [issue('config.calls', 'must require a call: any trace passes like this')] : []),
    ...(max_calls === undefined || max_calls >= required
      ? []
      : [issue('config.max_calls', `must be at least ${required}, since \`calls\` require so many`)]),
    ...(dualSided && calls.length === 0
      ? [
          issue(
            'config.calls',
            'must hold a call: a dual-sided scorer measures precision and recall against `calls`',
          ),
        ]
      : []),
  ];
}

const boundIssues = ({ min_calls, max_calls }: Config): ConfigIssue[] =>
  max_calls === undefined || min_calls <= max_calls
    ? []
    : [issue('config.min_calls', 'must be at most `max_calls`')];

/** Each call of its tools is one of it. */
const isPlain = ({ tool: _, except: __, ...conditions }: Pattern): boolean =>
  Object.values(conditions).every((condition) => condition === undefined);

/** A tool that may never be called cannot be expected, too. */
function clashes({ calls = [], forbidden }: Config): ConfigIssue[] {
  const tools = new Set(calls.flatMap(members).map(({ tool }) => tool));
  return forbidden.map(asPattern).flatMap((pattern, index) => {
    if (!isPlain(pattern)) return [];
    const { tool: named, except = [] } = pattern;
    const forbiddenTools = { tools: listOf(named), except: listOf(except) };
    const clash = [...tools].find((tool) => isOfTool(forbiddenTools, tool));
    return clash === undefined
      ? []
      : [issue(`config.forbidden.${index}`, 'must not name a tool that `calls` expect')];
  });
}

function* issuable(assertions: Requested['assertions'] = [], path: string) {
  if (assertions.length > 0) yield { assertions, path };
}

function* assertionsIn(config: Config) {
  const { calls = [], forbidden } = config;
  for (const [index, wish] of calls.entries()) {
    for (const [place, { assertions }] of members(wish).entries()) {
      yield* issuable(assertions, `config.calls.${isGroup(wish) ? `${index}.${place}` : index}.assertions`);
    }
  }
  const bans = forbidden.map((ban, index) => ({
    pattern: asPattern(ban),
    place: `config.forbidden.${index}`,
  }));
  for (const { pattern, place } of [...bans, ...patternsIn(config)]) {
    yield* issuable(pattern.assertions, `${place}.assertions`);
    yield* issuable(pattern.result, `${place}.result`);
  }
}
