import type * as z from 'zod';
import { NO_UUID, UUID_FORM } from '../../contracts/base/common.ts';
import type { Issue } from '../../contracts/base/errors.ts';
import type { sentDefinitionSchema } from '../../contracts/definitions.ts';
import { equalJson } from '../../scoring/compare/equality.ts';
import { Unchecked } from '../../scoring/kit/checkTime.ts';
import { withDefaults } from '../../scoring/registry.ts';
import { AppError, invalid } from '../errors.ts';
import { withAdvisory } from '../suites/gates/advisory.ts';
import type { CheckConfig } from '../suites/gates/configChecks.ts';
import { checkSideThresholds } from '../suites/scorers.ts';
import type { CaseFields, CompleteDefinition, ScorerFields } from './plan/types.ts';
import type { CompleteSuite } from './ports.ts';

type Sent = z.output<typeof sentDefinitionSchema>;

const withCompleteConfig = (scorer: ScorerFields): ScorerFields => ({
  ...scorer,
  config: withDefaults(scorer) as ScorerFields['config'],
});

/** What a stored suite says, with every field. */
export function definitionOf({
  suite,
  scorers,
  cases,
}: Pick<CompleteSuite, 'suite' | 'scorers' | 'cases'>): CompleteDefinition {
  return {
    suite,
    scorers: new Map([...scorers.values()].map((scorer) => [scorer.key, withCompleteConfig(scorer)])),
    cases: cases.map((one) => ({ ...one, scorer: scorers.get(one.scorer_id)?.key ?? null })),
  };
}

interface Meaning {
  /** The suite as it is stored. What it has already may stay, even if a new resource would be refused for it. */
  readonly before: CompleteDefinition;
  readonly checkConfig: CheckConfig;
  readonly nowMs: number;
}

/** What a definition means, with every field. 400 with the place of all that is wrong. */
export async function normalizeDefinition(
  { version: _, suite: slug, scorers, cases, ...suite }: Sent,
  meaning: Meaning,
): Promise<CompleteDefinition> {
  const issues = [...slugIssues(slug, meaning), ...caseIssues(cases, scorers, meaning)];
  const unchecked: string[] = [];
  const known = new Map(meaning.before.cases.map((one) => [one.key, one]));
  const meantScorers = await collected(Object.entries(scorers), issues, ([key, sent]) => [
    `scorers.${key}`,
    () => checkedScorer({ ...sent, key, name: sent.name ?? key }, meaning, unchecked),
  ]);
  issues.unshift(...uncheckedIssues(unchecked));
  const meantCases = await collected([...cases.entries()], issues, ([index, sent]) => [
    `cases.${index}`,
    () => ruledCase({ ...sent, name: sent.name ?? sent.key }, known.get(sent.key), meaning),
  ]);
  if (issues.length > 0) throw invalid(issues.map(inDefinition));
  return {
    suite: { ...suite, slug, name: suite.name ?? slug },
    scorers: new Map(meantScorers.map((scorer) => [scorer.key, scorer])),
    cases: meantCases,
  };
}

const inDefinition = ({ path, message }: Issue): Issue => ({ path: `definition.${path}`, message });

/** What each part means; what is wrong with it goes to `issues`. */
async function collected<Part, T>(
  parts: readonly Part[],
  issues: Issue[],
  read: (part: Part) => readonly [path: string, make: () => T | Promise<T>],
): Promise<T[]> {
  const values: T[] = [];
  for (const part of parts) {
    const [path, make] = read(part);
    try {
      values.push(await make());
    } catch (error) {
      issues.push(...issuesIn(error, path));
    }
  }
  return values;
}

const slugIssues = (slug: string, { before }: Meaning): Issue[] =>
  slug === before.suite.slug
    ? []
    : [{ path: 'suite', message: `must be "${before.suite.slug}", the requested suite` }];

function caseIssues(cases: Sent['cases'], scorers: Sent['scorers'], { before }: Meaning): Issue[] {
  const known = new Set(before.cases.map(({ key }) => key));
  const places = new Map<string, number>();
  return cases.flatMap(({ key, scorer }, index): Issue[] => {
    const first = places.get(key);
    if (first === undefined) places.set(key, index);
    const wrong = first === undefined ? keyIssue(key, known.has(key)) : twice(key, first);
    return [
      ...(wrong === undefined ? [] : [{ path: `cases.${index}.key`, message: wrong }]),
      ...(Object.hasOwn(scorers, scorer) ? [] : [{ path: `cases.${index}.scorer`, message: NO_SCORER }]),
    ];
  });
}

const ruledCase = (sent: CaseFields, before: CaseFields | undefined, { nowMs }: Meaning): CaseFields =>
  withAdvisory(sent, { ...(before && { before }), sent, nowMs });

const NO_SCORER = 'names no scorer of the definition: add it to `scorers`';
const twice = (key: string, first: number): string =>
  `"${key}" is the key of definition.cases.${first} already: give one another key`;

/** Those of some restored resources are their ids. */
const keyIssue = (key: string, isKnown: boolean): string | undefined =>
  UUID_FORM.test(key) && !isKnown ? NO_UUID : undefined;

/** `unchecked`: the keys of those for which no time was left. */
async function checkedScorer(
  scorer: ScorerFields,
  { before, checkConfig }: Meaning,
  unchecked: string[],
): Promise<ScorerFields> {
  const known = before.scorers.get(scorer.key);
  const wrong = keyIssue(scorer.key, known !== undefined);
  if (wrong !== undefined) throw invalid([{ path: '', message: wrong }]);
  checkSideThresholds(scorer, scorer.dual_sided);
  const complete = withCompleteConfig(scorer);
  const isAsBefore =
    known?.type === scorer.type &&
    known.dual_sided === scorer.dual_sided &&
    equalJson(known.config, complete.config);
  if (isAsBefore) return complete;
  try {
    return { ...scorer, config: await checkConfig(scorer) };
  } catch (error) {
    if (!(error instanceof Unchecked)) throw error;
    unchecked.push(scorer.key);
    return complete;
  }
}

const NAMED_MAX = 20;

function uncheckedIssues(keys: readonly string[]): Issue[] {
  if (keys.length === 0) return [];
  const named = keys.slice(0, NAMED_MAX).join(', ');
  const more = keys.length > NAMED_MAX ? ` and ${keys.length - NAMED_MAX} more` : '';
  const message = `the time of the checks was used up before these were checked: ${named}${more}. Simplify the others, or push fewer new or changed scorers at once: stored ones are not checked again`;
  return [{ path: 'scorers', message }];
}

/** Those of an error of one part, by their places in the whole. */
function issuesIn(error: unknown, within: string): Issue[] {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
  const issues = (error.details?.issues ?? []) as readonly Issue[];
  return issues.map(({ path, message }) => ({ path: path === '' ? within : `${within}.${path}`, message }));
}
