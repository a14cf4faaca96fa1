import { isRecord } from '../../files/read/parts.ts';
import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { escapedReference } from '../../files/resolve/references.ts';
import { Collector } from '../imports/collector.ts';
import type { Imported } from '../imports/imported.ts';
import { ContentNames, keyOf, looksLikeKey, Names, nameOf, slugOf } from '../imports/keys.ts';
import type { Fields, Judge, Note } from '../imports/types.ts';
import { jsonRows, readableRows } from '../table/rows.ts';
import { wordsOf } from '../table/texts.ts';
import { mappedClass, NO_CLASS } from './classes.ts';
import type { Criteria } from './criteria.ts';
import { type Mapped, mappedGrader } from './graders.ts';
import { fieldsIn } from './templates.ts';

export interface EvalsOptions {
  /** As the report names it. */
  readonly file: string;
  readonly slug: string;
  readonly criteria: Criteria | undefined;
  readonly judge: Judge | undefined;
}

/** A line of the data, in one of its forms. */
interface Sample {
  readonly line: number;
  readonly input: Fields;
  /** What names of cases begin with. */
  readonly words: string;
  readonly checks: readonly { readonly type: string; readonly name: string; readonly mapped: Mapped }[];
  readonly output: unknown;
  /** Why its output is no answer. */
  readonly failure?: string | undefined;
}

const EXACT = { name: NO_CLASS, args: {} };
const NAME_SHOWN_MAX = 120;

/** Samples of OpenAI's evals as a suite: of the hosted service with its graders, or of the registry. No program is run. */
export async function importEvals(
  text: string,
  options: EvalsOptions,
  problems: Problems,
): Promise<Imported | undefined> {
  const { file, slug, criteria } = options;
  const collector = new Collector(slug);
  const notes: Note[] = [];
  const keys = { contents: new ContentNames(), ofSamples: new Names(), ofCases: new Names() };
  const hidden = hiddenFields(criteria);
  const rows = readableRows(jsonRows(text), file, problems);
  if (problems.hasErrors) return undefined;
  const samples = rows.map(({ line, fields }) => ({
    line,
    ...sampleOf(line, fields, { ...options, hidden }),
  }));
  for (const sample of samples) {
    if (!('why' in sample)) keys.contents.add(keyOf(sample.words), sample.input);
  }
  for (const sample of samples) {
    const place = { ...startOf(file), line: sample.line };
    if ('why' in sample) {
      collector.refuse({ place, type: 'line' }, sample.why);
      continue;
    }
    const caseKeys = await addCases(collector, place, sample, keys);
    collector.ask(caseKeys, sample.input);
    if (sample.failure !== undefined)
      notes.push({ place, message: `its output is left out: ${sample.failure}` });
    else if (collector.answer(caseKeys, sample.output) === false)
      notes.push({ place, message: 'its output is left out: it looks like a key' });
    const why = collector.whyTooLarge(sample.input);
    if (why === undefined) continue;
    problems.error(place, `the file ${why} from here on: split it`);
    return undefined;
  }
  notes.push(...notesOfAll(options, hidden));
  const name = nameOf(criteria?.name ?? '') || undefined;
  return collector.imported(name, { source: 'OpenAI Evals', config: file, unread: [], notes });
}

interface Keys {
  readonly contents: ContentNames;
  readonly ofSamples: Names;
  readonly ofCases: Names;
}

/** One for each check that has a like here. Their keys. */
async function addCases(
  collector: Collector,
  place: Place,
  { words, input, checks }: Sample,
  { contents, ofSamples, ofCases }: Keys,
): Promise<string[]> {
  const key = ofSamples.unique(contents.of(keyOf(words), input));
  const caseKeys: string[] = [];
  for (const { type, name, mapped } of checks) {
    if ('why' in mapped) {
      collector.refuse({ place, type }, mapped.why);
      continue;
    }
    const caseKey = await collector.add({ place, type }, mapped, (scorer) => ({
      key: ofCases.unique([key, slugOf(name, 30)].filter((part) => part !== '').join('-')),
      name: nameOf(`${nameOf(words).slice(0, NAME_SHOWN_MAX)} / ${name || type}`),
      scorer,
      input,
      ...demandOf(mapped),
    }));
    if (caseKey !== undefined) caseKeys.push(caseKey);
  }
  return caseKeys;
}

const demandOf = ({ expected, threshold }: Exclude<Mapped, { readonly why: string }>) => ({
  ...(expected === undefined
    ? {}
    : { expected: typeof expected === 'string' ? escapedReference(expected) : expected }),
  ...(threshold === undefined ? {} : { threshold }),
});

/** What is said of the import as a whole. */
function notesOfAll({ file, criteria }: EvalsOptions, hidden: readonly string[]): Note[] {
  const messages = [
    ...(hidden.length > 0 ? [`inputs are without the fields that hold answers: ${hidden.join(', ')}`] : []),
    ...(criteria === undefined
      ? [
          'an output passes if it is an ideal answer to the letter: --criteria names a file with the class of the eval',
        ]
      : []),
  ];
  return messages.map((message) => ({ place: startOf(file), message }));
}

const ANSWERS = /expected|ideal|reference|ground_?truth|correct|label|answer|solution|target/i;

/** What graders compare with is not for the program that answers, nor is what is named like an answer. */
function hiddenFields(criteria: Criteria | undefined): string[] {
  const compared = (criteria?.graders ?? []).flatMap(({ reference, input }) => [
    ...fieldsIn(reference),
    ...fieldsIn(input).filter((field) => ANSWERS.test(field)),
  ]);
  return [...new Set(compared)];
}

type Reading = EvalsOptions & { readonly hidden: readonly string[] };

function sampleOf(line: number, fields: Fields, reading: Reading): Sample | { readonly why: string } {
  const { criteria, judge, hidden } = reading;
  if (looksLikeKey(fields)) return { why: 'holds what looks like a key of a service' };
  if (fields.ideal !== undefined && fields.input !== undefined) {
    const evalClass = criteria?.evalClass ?? EXACT;
    const check = { type: evalClass.name, name: '', mapped: mappedClass(evalClass, fields.ideal) };
    return {
      line,
      input: { input: fields.input },
      words: lastMessage(fields.input),
      checks: [check],
      output: undefined,
    };
  }
  const item = isRecord(fields.item) ? fields.item : fields;
  if (criteria === undefined || criteria.graders.length === 0)
    return {
      why: isRecord(fields.item)
        ? 'has an item, and no graders: give --criteria'
        : 'has neither item nor input and ideal',
    };
  const input = Object.fromEntries(
    Object.entries(item).filter(([name]) => !hidden.includes(name) && name !== 'sample'),
  );
  const checks = criteria.graders.map((grader) => ({
    type: String(grader.type).slice(0, 60),
    name: typeof grader.name === 'string' ? grader.name : '',
    mapped: mappedGrader(grader, item, judge),
  }));
  const first = Object.values(input).find((value) => typeof value === 'string' && value.trim() !== '');
  const sample = isRecord(fields.sample) ? fields.sample : {};
  return {
    line,
    input,
    words: wordsOf(first ?? input),
    checks,
    output: sample.output_text,
    failure: failureOf(sample),
  };
}

function failureOf({ error, finish_reason = 'stop' }: Fields): string | undefined {
  const message = isRecord(error) ? (error.message ?? 'error') : error;
  if (message !== undefined && message !== null && message !== '')
    return `error: ${String(message).slice(0, 200)}`;
  return finish_reason === 'stop' ? undefined : `finish_reason: ${String(finish_reason).slice(0, 100)}`;
}

/** Of a list of messages the last one says what the sample is about. */
function lastMessage(input: unknown): string {
  const last: unknown = Array.isArray(input) ? input.at(-1) : input;
  return wordsOf(isRecord(last) ? (last.content ?? last) : last);
}
