import { atOnePlace } from '../../../files/read/jsonText.ts';
import type { Part } from '../../../files/read/parts.ts';
import type { Findings, Opened } from './findings.ts';
import { type Merged, mergedTest, openTest, type TestPart } from './merge.ts';
import { COMMAND_LINE, CONFIG, type ConfigField, EVALUATE, GENERATOR, SCENARIO } from './places.ts';
import { anyChangesOutput } from './providers.ts';
import { cellsOf, testOfRow } from './rows/rows.ts';
import { isFileName, isNotRead, type Sources } from './sources.ts';
import { type Tools, toolsOf } from './tools.ts';
import { isRecord, itemsOf, listOf, placeOf, recordOf, wordsOf } from './values.ts';

export interface Config {
  readonly description: string | undefined;
  readonly tests: readonly Merged[];
  /** Whether a provider transforms what it answers. */
  readonly hasTransformingProvider: boolean;
  /** The names of the tools that each provider has, read when they are asked for. */
  readonly tools: Tools;
}

interface Reader {
  readonly sources: Sources;
  readonly findings: Findings;
}

/** All tests of a config, merged with its defaults. Undefined where the config is wrong: problems say why. */
export function readConfig(sources: Sources, findings: Findings): Config | undefined {
  const document = sources.config();
  if (document === undefined) return undefined;
  const config: Part = { document, path: [], value: document.value };
  if (!isRecord(config.value)) {
    findings.problems.error(placeOf(config), 'is no config of promptfoo: it must be a map with `tests`');
    return undefined;
  }
  const fields = findings.open(config, CONFIG);
  findings.open(fields.part('commandLineOptions'), COMMAND_LINE);
  findings.open(fields.part('evaluateOptions'), EVALUATE);
  noteCandidates(fields, findings);
  const reader: Reader = { sources, findings };
  const providers = [fields.part('providers'), fields.part('targets')];
  return {
    description: wordsOf(fields.value('description')),
    tests: allTests(fields, reader),
    hasTransformingProvider: providers.some((part) => anyChangesOutput(part, sources)),
    tools: toolsOf(providers, sources),
  };
}

function allTests(fields: Opened<ConfigField>, reader: Reader): Merged[] {
  const defaults = defaultsOf(fields.part('defaultTest'), reader);
  const tests = testsOf(fields.part('tests'), reader).map((test) => mergedTest({ defaults, parts: [test] }));
  const scenarios = recordsOf(fields.part('scenarios'), reader).flatMap((scenario) =>
    scenarioTests(scenario, reader).map((parts) => mergedTest({ defaults, parts })),
  );
  const isBare = [fields.value('tests'), fields.value('scenarios')].every(
    (value) => listOf(value).length === 0 && !isNamed(value),
  );
  if (!isBare || defaults === undefined) return [...tests, ...scenarios];
  const empty = openTest({ ...defaults.part, value: {} }, reader.findings);
  return [mergedTest({ defaults, parts: [empty] })];
}

const isNamed = (value: unknown): boolean => typeof value === 'string' || isRecord(value);

/** `defaultTest` is a test, or the name of a file that has it. */
function defaultsOf(part: Part, { sources, findings }: Reader): TestPart | undefined {
  if (isRecord(part.value)) return openTest(part, findings);
  if (part.value === undefined || part.value === null) return undefined;
  if (!isFileName(part.value)) {
    findings.problems.error(placeOf(part), 'must be a map, or file:// and the path of a file that has one');
    return undefined;
  }
  if (isNotRead(part.value)) {
    findings.leaveUnread(placeOf(part), whyUnread(part.value));
    return undefined;
  }
  const document = sources.document(placeOf(part), part.value);
  return document && openTest({ document, path: [], value: document.value }, findings);
}

const testsOf = (part: Part, reader: Reader): TestPart[] =>
  recordsOf(part, reader).map((test) => openTest(test, reader.findings));

/** A list of tests, the name of a file of tests, or a list of both. Scenarios are listed as tests are. */
function recordsOf(part: Part, reader: Reader): Part[] {
  const items = Array.isArray(part.value) ? itemsOf(part) : [part];
  return items.flatMap((item) => {
    const { value } = item;
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return namedRecords(item, { reference: value, isByPath: false }, reader);
    if (!isRecord(value) || typeof value.path !== 'string')
      return onlyRecords([rowOr(item, false, reader)], reader);
    reader.findings.open(item, GENERATOR);
    return namedRecords(item, { reference: value.path, isByPath: true }, reader);
  });
}

interface Named {
  readonly reference: string;
  readonly isByPath: boolean;
}

function namedRecords(part: Part, { reference, isByPath }: Named, reader: Reader): Part[] {
  if (isRemote(reference) || isNotRead(reference)) {
    reader.findings.leaveUnread(placeOf(part), whyUnread(reference));
    return [];
  }
  const listed = reader.sources.list(placeOf(part), reference);
  for (const program of listed.filter(({ value }) => isFileName(value)))
    reader.findings.leaveUnread(placeOf(program), whyUnread(String(program.value)));
  const records = listed.filter(({ value }) => !isFileName(value));
  return onlyRecords(
    records.map((one) => rowOr(one, isByPath, reader)),
    reader,
  );
}

/** The test of a row, where the part is one. */
function rowOr(part: Part, isByPath: boolean, { findings }: Reader): Part {
  const cells = cellsOf(part.value, isByPath);
  if (cells === undefined) return part;
  const place = placeOf(part);
  const document = atOnePlace(testOfRow(cells, { findings, head: place, place }), place);
  return { document, path: [], value: document.value };
}

const isRemote = (reference: string): boolean => /^(?!file:)[a-z]+:\/\//i.test(reference);

/** The message names only its kind: an address may hold a key. */
function whyUnread(reference: string): string {
  const [, scheme] = /^(?!file:)([a-z]+):\/\//i.exec(reference) ?? [];
  const kind = scheme === undefined ? 'a program, a spreadsheet or an image' : `${scheme}://…`;
  return `tests of ${kind} are not read: nothing is executed or fetched`;
}

function onlyRecords(parts: readonly Part[], { findings }: Reader): Part[] {
  return parts.filter((part) => {
    const isFine = isRecord(part.value) && hasNoProto(part.value);
    if (!isFine)
      findings.problems.error(placeOf(part), 'is no test: it must be a map such as {vars: …, assert: …}');
    return isFine;
  });
}

/** JSON can hold such a name, and YAML is refused before. */
const hasNoProto = (test: Readonly<Record<string, unknown>>): boolean =>
  [test, recordOf(test.vars), recordOf(test.options)].every((fields) => !Object.hasOwn(fields, '__proto__'));

/** Each set of variables with each test. */
function scenarioTests(scenario: Part, reader: Reader): [TestPart, TestPart][] {
  const fields = reader.findings.open(scenario, SCENARIO);
  const testsPart = fields.part('tests');
  const sets = testsOf(fields.part('config'), reader);
  const isMissing = testsPart.value === undefined || testsPart.value === null;
  const tests = isMissing
    ? [openTest({ ...testsPart, value: {} }, reader.findings)]
    : testsOf(testsPart, reader);
  if (sets.length === 0)
    reader.findings.leaveUnread(
      placeOf(scenario),
      'a scenario without sets of variables in `config` has no tests',
    );
  return sets.flatMap((set) => tests.map((test): [TestPart, TestPart] => [set, test]));
}

function noteCandidates(fields: Opened<ConfigField>, findings: Findings): void {
  const providers = fields.value('providers') ?? fields.value('targets');
  const candidates = countOf(fields.value('prompts')) * countOf(providers);
  if (candidates < 2) return;
  const message = `has ${candidates} pairs of a prompt and a provider: the suite judges one candidate, so run it once for each`;
  findings.note(placeOf(fields.part('prompts')), message);
}

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1);
