import type { Part } from '../../read/parts.ts';
import type { Place, Problems } from '../../read/problems.ts';
import { type Merged, mergedTest } from './merge.ts';
import { isFileName, isNotRead, type Sources } from './sources.ts';
import { fieldOf, isRecord, itemsOf, listOf, placeOf, recordOf, wordsOf } from './values.ts';

/** What a reader of the report has to know, and no assertion tells. */
export interface Note {
  readonly place: Place;
  readonly message: string;
}

export interface Config {
  readonly description: string | undefined;
  readonly tests: readonly Merged[];
  /** Tests that only a program or another service could give. */
  readonly unread: readonly Note[];
  readonly notes: readonly Note[];
}

/** Settings that change what passes there, and have no like here. */
const SETTINGS = ['redteam', 'derivedMetrics', 'nunjucksFilters', 'extensions'];

/** All tests of a config, merged with its defaults. Undefined where the config is wrong: `problems` say why. */
export function readConfig(sources: Sources, problems: Problems): Config | undefined {
  const document = sources.config();
  if (document === undefined) return undefined;
  const config: Part = { document, path: [], value: document.value };
  if (!isRecord(config.value)) {
    problems.error(placeOf(config), 'is no config of promptfoo: it must be a map with `tests`');
    return undefined;
  }
  const unread: Note[] = [];
  const reader: Reader = { sources, problems, unread };
  const defaults = defaultsOf(fieldOf(config, 'defaultTest'), reader);
  const tests = testsOf(fieldOf(config, 'tests'), reader).map((test) => mergedTest(defaults, [test]));
  const scenarios = testsOf(fieldOf(config, 'scenarios'), reader).flatMap((scenario) =>
    scenarioTests(scenario, reader).map((parts) => mergedTest(defaults, parts)),
  );
  const isBare = [config.value.tests, config.value.scenarios].every(
    (value) => listOf(value).length === 0 && !isNamed(value),
  );
  const bare = isBare && defaults !== undefined ? [mergedTest(defaults, [{ ...defaults, value: {} }])] : [];
  return {
    description: wordsOf(config.value.description),
    tests: [...tests, ...scenarios, ...bare],
    unread,
    notes: notesOf(config),
  };
}

interface Reader {
  readonly sources: Sources;
  readonly problems: Problems;
  readonly unread: Note[];
}

const isNamed = (value: unknown): boolean => typeof value === 'string' || isRecord(value);

/** `defaultTest` is a test, or the name of a file that has it. */
function defaultsOf(part: Part, { sources, problems, unread }: Reader): Part | undefined {
  if (isRecord(part.value)) return part;
  if (part.value === undefined || part.value === null) return undefined;
  if (!isFileName(part.value)) {
    problems.error(placeOf(part), 'must be a map, or file:// and the path of a file that has one');
    return undefined;
  }
  if (isNotRead(part.value)) {
    unread.push({ place: placeOf(part), message: whyUnread(part.value) });
    return undefined;
  }
  const document = sources.document(placeOf(part), part.value);
  return document && { document, path: [], value: document.value };
}

/** A list of tests, the name of a file of tests, or a list of both. */
function testsOf(part: Part, reader: Reader): Part[] {
  const items = Array.isArray(part.value) ? itemsOf(part) : [part];
  return items.flatMap((item) => {
    const { value } = item;
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return namedTests(item, value, reader);
    if (isRecord(value) && typeof value.path === 'string') return namedTests(item, value.path, reader);
    return onlyTests([item], reader);
  });
}

function namedTests(part: Part, reference: string, reader: Reader): Part[] {
  if (isRemote(reference) || isNotRead(reference)) {
    reader.unread.push({ place: placeOf(part), message: whyUnread(reference) });
    return [];
  }
  const found = reader.sources.list(placeOf(part), reference);
  const programs = found.filter(({ value }) => isFileName(value));
  for (const program of programs)
    reader.unread.push({ place: placeOf(program), message: whyUnread(String(program.value)) });
  return onlyTests(
    found.filter(({ value }) => !isFileName(value)),
    reader,
  );
}

const isRemote = (reference: string): boolean => /^(?!file:)[a-z]+:\/\//i.test(reference);

/** Only its kind is told: an address may hold a key. */
function whyUnread(reference: string): string {
  const [, scheme] = /^(?!file:)([a-z]+):\/\//i.exec(reference) ?? [];
  const kind = scheme === undefined ? 'a program, a spreadsheet or an image' : `${scheme}://…`;
  return `tests of ${kind} are not read: nothing is executed or fetched`;
}

function onlyTests(parts: readonly Part[], { problems }: Reader): Part[] {
  return parts.filter((part) => {
    const isFine = isRecord(part.value) && hasNoProto(part.value);
    if (!isFine) problems.error(placeOf(part), 'is no test: it must be a map such as {vars: …, assert: …}');
    return isFine;
  });
}

/** JSON can hold such a name, and YAML is refused before. */
const hasNoProto = (test: Readonly<Record<string, unknown>>): boolean =>
  [test, recordOf(test.vars), recordOf(test.options)].every((fields) => !Object.hasOwn(fields, '__proto__'));

/** Each set of variables with each test. */
function scenarioTests(scenario: Part, reader: Reader): Part[][] {
  const sets = testsOf(fieldOf(scenario, 'config'), reader);
  const own = fieldOf(scenario, 'tests');
  const tests = own.value === undefined ? [{ ...own, value: {} }] : testsOf(own, reader);
  return sets.flatMap((set) => tests.map((test) => [set, test]));
}

function notesOf(config: Part): Note[] {
  const notes = SETTINGS.map((name) => fieldOf(config, name))
    .filter(({ value }) => value !== undefined && value !== null)
    .map((part) => ({ place: placeOf(part), message: `\`${String(part.path[0])}\` is not imported` }));
  const fields = recordOf(config.value);
  const candidates = countOf(fields.prompts) * countOf(fields.providers ?? fields.targets);
  if (candidates < 2) return notes;
  const message = `has ${candidates} pairs of a prompt and a provider: the suite judges one candidate, so run it once for each`;
  return [...notes, { place: placeOf(fieldOf(config, 'prompts')), message }];
}

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1);
