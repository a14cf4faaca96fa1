import { isSingular, parsePath } from '../jsonPath/parser.ts';
import type { ConfigIssue } from '../kit/definition.ts';
import { holdsLarge } from '../kit/reading/expected.ts';
import type { Config, Other, Pattern, Requested, Rule } from './config.ts';
import { readsResult, sidesOf } from './parts.ts';

const PATTERNS_MAX = 100;
const ASSERTIONS_MAX = 500;

interface Placed<Named> {
  readonly pattern: Named;
  /** Such as `config.rules.1.before.0`. */
  readonly place: string;
}

export const issue = (path: string, message: string): ConfigIssue => ({ path, message });

export function ruleIssues(config: Config): ConfigIssue[] {
  const { rules = [] } = config;
  const names = rules.map(({ name }) => name);
  const patterns = patternsIn(config);
  const assertions = patterns.flatMap(({ pattern: { assertions: ofArguments = [], result = [] } }) => [
    ...ofArguments,
    ...result,
  ]);
  return [
    ...rules.flatMap((rule, index) => [
      ...(names.indexOf(rule.name) === index
        ? []
        : [issue(`config.rules.${index}.name`, 'is the name of another rule, too: names must differ')]),
      ...formIssues(rule, `config.rules.${index}`),
      ...otherIssues(rule, `config.rules.${index}`),
    ]),
    ...patterns.flatMap(({ pattern, place }) => patternIssues(pattern, place)),
    ...(patterns.length > PATTERNS_MAX
      ? [issue('config.rules', `must hold at most ${PATTERNS_MAX} patterns of calls in all`)]
      : []),
    ...(assertions.length > ASSERTIONS_MAX
      ? [issue('config.rules', `must hold at most ${ASSERTIONS_MAX} assertions in all`)]
      : []),
  ];
}

/** Of one pattern, or of an expected call. */
export function patternIssues(
  { arguments: complete, arguments_include: part }: Requested | Pattern,
  path: string,
): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  if (complete !== undefined && part !== undefined) {
    issues.push(issue(`${path}.arguments_include`, 'must not be sent beside `arguments`'));
  }
  for (const [name, value] of [
    ['arguments', complete],
    ['arguments_include', part],
  ] as const) {
    if (!holdsLarge(value)) continue;
    issues.push(issue(`${path}.${name}`, 'must hold no number beyond 2^53, since JSON readers round those'));
  }
  return issues;
}

/** What a rule asks for is one thing. */
function formIssues({ before, after, never_after, at_most, per, sum }: Rule, place: string): ConfigIssue[] {
  const forms = [before, after, never_after, at_most].filter((form) => form !== undefined).length;
  const issues: ConfigIssue[] = [];
  if (forms !== 1) issues.push(issue(place, 'must have one of `before`, `after`, `never_after`, `at_most`'));
  for (const [name, value] of [['per', per] as const, ['sum', sum] as const]) {
    if (value !== undefined && at_most === undefined)
      issues.push(issue(`${place}.${name}`, 'goes only with `at_most`'));
  }
  if (sum !== undefined && per === 'step')
    issues.push(issue(`${place}.sum`, 'does not go with `per: step`: leave `per` out, or name paths'));
  return issues;
}

function otherIssues(rule: Rule, rulePlace: string): ConfigIssue[] {
  const otherPatterns = othersIn(rule, rulePlace);
  return otherPatterns.flatMap(({ pattern, place }) => [
    ...(pattern.same ?? []).flatMap((same, index) =>
      typeof same === 'string' || (same.in === undefined) !== (same.in_result === undefined)
        ? []
        : [issue(`${place}.same.${index}`, 'must have one of `in` and `in_result` beside `path`')],
    ),
    ...(pattern.own ? ownIssues(pattern, place, otherPatterns.length) : []),
    ...(pattern.same_step && rule.before !== undefined && readsResult(pattern)
      ? [issue(`${place}.same_step`, 'does not go with a result of `before`: a result comes after its step')]
      : []),
  ]);
}

/** Counting is exact where each call has one value. */
function ownIssues({ same = [], same_step }: Other, place: string, patterns: number): ConfigIssue[] {
  const isPlain = same.map(sidesOf).every(({ path, other }) => isOne(path) && isOne(other));
  return [
    ...(patterns > 1 ? [issue(`${place}.own`, `goes only with one pattern: here are ${patterns}`)] : []),
    ...(same_step ? [issue(`${place}.own`, 'does not go with `same_step`')] : []),
    ...(isPlain ? [] : [issue(`${place}.own`, 'goes only with paths that lead to one value')]),
  ];
}

/** What is no path is refused where it stands. */
function isOne(path: string): boolean {
  try {
    return isSingular(parsePath(path));
  } catch {
    return true;
  }
}

const placedIn = <Named>(some: Named | readonly Named[] | undefined, place: string): Placed<Named>[] =>
  Array.isArray(some)
    ? some.map((pattern: Named, index) => ({ pattern, place: `${place}.${index}` }))
    : some === undefined
      ? []
      : [{ pattern: some as Named, place }];

const othersIn = ({ before, after, never_after }: Rule, place: string): Placed<Other>[] => [
  ...placedIn<Other>(before, `${place}.before`),
  ...placedIn<Other>(after, `${place}.after`),
  ...placedIn<Other>(never_after, `${place}.never_after`),
];

/** All patterns of all rules. */
export const patternsIn = ({ rules = [] }: Config): Placed<Pattern>[] =>
  rules.flatMap((rule, index) => [
    ...placedIn<Pattern>(rule.when, `config.rules.${index}.when`),
    ...othersIn(rule, `config.rules.${index}`),
  ]);

/** All paths of rules that stand in no assertion. */
export const pathsIn = ({ rules = [] }: Config): { readonly path: string; readonly place: string }[] =>
  rules.flatMap((rule, ruleIndex) => {
    const place = `config.rules.${ruleIndex}`;
    const { per, sum } = rule;
    return [
      ...othersIn(rule, place).flatMap(({ pattern, place: otherPlace }) =>
        (pattern.same ?? []).flatMap((same, index) =>
          typeof same === 'string'
            ? [{ path: same, place: `${otherPlace}.same.${index}` }]
            : Object.entries(same).map(([name, path = '$']) => ({
                path,
                place: `${otherPlace}.same.${index}.${name}`,
              })),
        ),
      ),
      ...(Array.isArray(per) ? per.map((path, index) => ({ path, place: `${place}.per.${index}` })) : []),
      ...(sum === undefined ? [] : [{ path: sum, place: `${place}.sum` }]),
    ];
  });
