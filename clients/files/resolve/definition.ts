import type * as z from 'zod';
import { BODY_BYTES_MAX } from '../../../shared/contracts/base/bodyLimits.ts';
import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { CASES_MAX } from '../../../shared/contracts/cases.ts';
import type { createSuite } from '../../../shared/contracts/suites.ts';
import type { Problems } from '../read/problems.ts';
import { type CaseFields, definedCases } from './cases.ts';
import type { LoadedFiles, SuiteHead, SuiteParts } from './loadFiles.ts';
import { DefinedScorers, type ScorerFields } from './scorers.ts';
import { sentDefinition } from './sentDefinition.ts';

type SuiteFields = Omit<z.output<typeof createSuite.body>, 'slug'> & { readonly slug: string };

/** What a suite's files mean, as the service would have it. */
export interface SuiteDefinition {
  readonly file: string;
  readonly suite: SuiteFields;
  /** Those that its cases use, by key. */
  readonly scorers: ReadonlyMap<string, ScorerFields>;
  readonly cases: readonly CaseFields[];
}

/** The suites of the files, those that are wrong left out. What is wrong goes to `problems`. */
export const defineSuites = async (
  loaded: LoadedFiles,
  problems: Problems,
  nowMs: number,
): Promise<SuiteDefinition[]> => (await defineAll(loaded, problems, nowMs)).suites;

/** The same, with the scorers of all files. */
export async function defineAll(
  { shared, suites, references }: LoadedFiles,
  problems: Problems,
  nowMs: number,
): Promise<{ readonly suites: SuiteDefinition[]; readonly scorers: DefinedScorers }> {
  const scorers = new DefinedScorers(references, problems);
  for (const part of [...shared, ...suites.flatMap((suite) => suite.scorers)]) await scorers.add(part);
  refuseTwice(suites, problems);
  const sharedKeys = shared.map(({ key }) => key);
  const defined = suites.flatMap((parts) => {
    const before = problems.errorCount;
    const usable = new Set([...sharedKeys, ...parts.scorers.map(({ key }) => key)]);
    const cases = definedCases(parts, { references, scorers, usable, problems, nowMs });
    if (parts.head === undefined) return [];
    const suite = { file: parts.file, suite: suiteOf(parts.head), cases, scorers: usedBy(cases, scorers) };
    checkSize(parts, suite, problems);
    const isComplete = cases.every(({ scorer }) => suite.scorers.has(scorer));
    return isComplete && problems.errorCount === before ? [suite] : [];
  });
  return { suites: defined, scorers };
}

/** What is sent beside a definition. */
const OPTIONS_BYTES_MAX = 8_192;

function refuseTwice(suites: readonly SuiteParts[], problems: Problems): void {
  const first = new Map<string, string>();
  for (const { file, document, head } of suites) {
    if (head === undefined) continue;
    const known = first.get(head.suite);
    const { line, column } = document.at(['suite']);
    if (known === undefined) first.set(head.suite, `${file}:${line}:${column}`);
    else {
      const message = `the suite "${head.suite}" is at ${known} already: give one another slug`;
      problems.error(document.at(['suite']), message);
    }
  }
}

function suiteOf({ suite: slug, version: _, defaults: __, ...fields }: SuiteHead): SuiteFields {
  return { ...fields, name: fields.name ?? slug, slug };
}

function usedBy(cases: readonly CaseFields[], scorers: DefinedScorers): Map<string, ScorerFields> {
  const used = new Map<string, ScorerFields>();
  for (const { scorer } of cases) {
    const fields = used.has(scorer) ? undefined : scorers.get(scorer)?.fields;
    if (fields !== undefined) used.set(scorer, fields);
  }
  return used;
}

function checkSize(
  { document }: SuiteParts,
  { suite, scorers, cases }: Omit<SuiteDefinition, 'file'>,
  problems: Problems,
): void {
  const place = document.at(['cases']);
  const active = cases.filter(({ is_active }) => is_active);
  const outputs = active.reduce((sum, { sample_count }) => sum + sample_count, 0);
  if (cases.length > CASES_MAX)
    problems.error(place, `has ${cases.length} cases: at most ${CASES_MAX}, so split the suite`);
  if (outputs > OUTPUTS_MAX) {
    problems.error(
      place,
      `takes ${outputs} outputs, and one run sends at most ${OUTPUTS_MAX}: lower sample_count`,
    );
  }
  const bytesOf = (body: object) => Buffer.byteLength(JSON.stringify(body)) + OPTIONS_BYTES_MAX;
  // What is sent has less: most suites are small enough without a look at it.
  if (bytesOf({ suite, scorers: [...scorers.values()], cases }) <= BODY_BYTES_MAX) return;
  const bytes = bytesOf({ definition: sentDefinition({ suite, scorers, cases }) });
  if (bytes > BODY_BYTES_MAX)
    problems.error(place, 'is larger than 6 MB, which is the most that can be sent: split the suite');
}
