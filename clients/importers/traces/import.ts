import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import { isRecord } from '../../files/read/parts.ts';
import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { readItemTrace } from '../../files/read/traces.ts';
import { Collector } from '../imports/collector.ts';
import type { Imported } from '../imports/imported.ts';
import { CASE_KEY, ContentNames, hashOf, keyOf, looksLikeKey, nameOf } from '../imports/keys.ts';
import type { Difference } from '../imports/report.ts';
import type { Fields, ImportedOutput } from '../imports/types.ts';
import { checkItems } from '../outputs/checkItems.ts';
import { Evidence } from '../outputs/evidence.ts';
import { textsOfSpans } from '../outputs/foreign.ts';
import { formOf } from '../outputs/forms.ts';
import { questionIn } from '../outputs/question.ts';
import { readOutputs } from '../outputs/readOutputs.ts';
import { fieldAt } from '../table/rows.ts';
import { textsOf } from '../table/texts.ts';
import { entriesOf, expectedCalls, isWritable, KEY_LEFT_OUT, whyTooLong } from './calls.ts';

export const SCORERS = ['calls', 'rules'] as const;

export interface TracesOptions {
  /** As the report names it. */
  readonly file: string;
  readonly slug: string;
  readonly key: string | undefined;
  /** What cases expect: the calls that were made, or none, where rules of the scorer judge. */
  readonly scorer: (typeof SCORERS)[number];
  /** Whether long texts in arguments are compared, too. */
  readonly comparesProse: boolean;
}

/** A trace that can become a case. */
interface Deeds {
  readonly place: Place;
  readonly base: string;
  readonly name: string | undefined;
  readonly input: Fields;
  readonly expected: readonly unknown[];
  readonly differences: readonly Difference[];
  readonly tools: readonly string[];
  /** An output of `outputs.jsonl`, but for its case. */
  readonly output: Omit<ImportedOutput, 'case'>;
}

/** Recorded traces as a suite that expects what they show. Undefined where one cannot be read: `problems` say why. */
export async function importTraces(
  text: string,
  options: TracesOptions,
  problems: Problems,
): Promise<Imported | undefined> {
  const { file, slug, scorer } = options;
  const lines = readLines(text, options, problems);
  if (problems.hasErrors) return undefined;
  const collector = new Collector(slug);
  const refuse = (place: Place, why: string) => collector.refuse({ place, type: 'trace' }, why);
  const all = lines.flatMap(({ place, item }): Deeds[] => {
    const deeds = deedsOf(item, place, options);
    if (typeof deeds !== 'string') return [deeds];
    refuse(place, deeds);
    return [];
  });
  const tools = [...new Set(all.flatMap((deeds) => deeds.tools))].sort();
  const config = { order: 'in_order', ...(scorer === 'rules' && { allow_extra: tools }) };
  const outputs: ImportedOutput[] = [];
  const shownLines: ShownLine[] = [];
  for (const { key, ...deeds } of withKeys(all, refuse)) {
    const { place, name, input, expected, differences } = deeds;
    const mapping = { scorer: { type: 'trajectory', config }, differences };
    const shown = { input, ...(scorer === 'calls' && { expected }) };
    const added = await collector.add({ place, type: 'trace' }, mapping, (scorerKey) => ({
      key,
      name: name || key,
      scorer: scorerKey,
      ...shown,
    }));
    if (added !== undefined) {
      outputs.push({ case: [key], ...deeds.output });
      shownLines.push({ line: place.line, text: JSON.stringify(shown) });
    }
    const why = collector.whyTooLarge();
    if (why === undefined) continue;
    problems.error(place, `the file ${why} from here on: split it`);
    return undefined;
  }
  const notes = [{ place: startOf(file), message: scorer === 'rules' ? RULES : RIGHT_OR_WRONG }];
  const collected = collector.imported(undefined, { source: 'traces', config: file, unread: [], notes });
  return { ...collected, outputs, keepsScorer: true, warning: warningOf(shownLines) };
}

/** Equal cases once. Of cases with the same key and other contents, each has a hash of its own. */
function withKeys(all: readonly Deeds[], refuse: (place: Place, why: string) => void) {
  const names = new ContentNames();
  for (const { base, ...deeds } of all) names.add(base, contentOf(deeds));
  const known = new Map<string, { readonly line: number; readonly content: string }>();
  return all.flatMap((deeds) => {
    const content = contentOf(deeds);
    const key = names.of(deeds.base, content);
    const before = known.get(key);
    known.set(key, before ?? { line: deeds.place.line, content });
    if (before === undefined) return [{ ...deeds, key }];
    refuse(deeds.place, `${before.content === content ? 'repeats' : 'has the key of'} line ${before.line}`);
    return [];
  });
}

const RIGHT_OR_WRONG =
  'what cases expect is what the agent did, right or wrong: correct what is wrong before they gate';
const RULES = 'cases expect no calls, and allow the tools that were called: add rules to the scorer';

const contentOf = ({ input, expected }: Pick<Deeds, 'input' | 'expected'>): string =>
  JSON.stringify([input, expected]);

interface TraceLine {
  readonly place: Place;
  /** `case` may be missing. */
  readonly item: OutputItem & Fields;
}

const NO_TRACES =
  'is of promptfoo or Inspect, of which no traces are read: record spans, or write lines with trace or messages';

/** By the reader of outputs. A case that is missing is no error here. */
function readLines(text: string, { file, key }: TracesOptions, problems: Problems): TraceLine[] {
  const form = formOf(text);
  if (form === 'promptfoo' || form === 'inspect') {
    problems.error(startOf(file), NO_TRACES);
    return [];
  }
  const { items, places } = readOutputs(file, { bytes: Buffer.from(text) }, problems, {
    check: (items) => checkItems(items.map((item) => ({ ...item, case: item.case ?? 'case' }))),
    textsOf: form === 'otlp' ? textsOfSpans(new Evidence(), { key }) : undefined,
    mayLackCase: true,
  });
  const fields = items as readonly (OutputItem & Fields)[];
  if (key !== undefined && items.length > 0 && fields.every((item) => fieldAt(item, key) === undefined))
    problems.error(startOf(file), `has no field ${key} for --key`);
  return fields.map((item, index) => ({ item, place: { ...startOf(file), ...places[index] } }));
}

/** A text says why a line is no case. */
function deedsOf(item: TraceLine['item'], place: Place, options: TracesOptions): Deeds | string {
  const read = readItemTrace(item);
  if (!read?.ok) return 'has no trace';
  if (item.error !== undefined) return 'ended with an error';
  const { trace } = read;
  const tools = [...new Set(trace.map(({ tool }) => tool))];
  const { question, input } = inputOf(item);
  if (tools.some((tool) => tool.includes('*'))) return 'calls a tool with * in its name';
  if (!isWritable(input)) return 'has an input deeper than 50 levels, or with the name __proto__';
  const { expected, differences } = expectedCalls(trace, options.comparesProse);
  const isByRules = options.scorer === 'rules';
  const why = isByRules ? undefined : whyTooLong(expected);
  if (why !== undefined) return why;
  const named = baseOf(item, options.key) ?? (question === undefined ? undefined : keyOf(question));
  if (looksLikeKey([named, question, input, tools])) return 'holds what looks like a key of a service';
  const output = item.output ?? read.output;
  return {
    place,
    base: named ?? `trace-${hashOf(contentOf({ input, expected }))}`,
    name: question && nameOf(question),
    input,
    expected,
    differences: isByRules ? differences.filter(({ reason }) => reason === KEY_LEFT_OUT) : differences,
    tools,
    output: {
      ...(output !== undefined && !looksLikeKey(output) && { output }),
      trace: entriesOf(trace),
    },
  };
}

function inputOf(item: TraceLine['item']): { readonly question: string | undefined; readonly input: Fields } {
  const given = isRecord(item.input) ? item.input : undefined;
  const questionValue = questionIn(item.trace ?? item.messages) ?? given?.question;
  const question = typeof questionValue === 'string' ? questionValue : undefined;
  return { question, input: given ?? (question === undefined ? {} : { question }) };
}

/** The key that the line names. */
function baseOf(item: TraceLine['item'], field: string | undefined): string | undefined {
  const named: unknown = item.case ?? (field === undefined ? undefined : fieldAt(item, field));
  const given = textsOf(named)?.join('-');
  if (given === undefined) return undefined;
  return CASE_KEY.test(given) ? given : keyOf(given);
}

const MAIL = /[\w.%+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/gi;

/** What the suite holds of a line. */
interface ShownLine {
  readonly line: number;
  readonly text: string;
}

/** With the number of e-mail addresses, as a sign of personal data. */
function warningOf(lines: readonly ShownLine[]): string {
  const mails = lines.flatMap(({ line, text }) =>
    [...text.matchAll(MAIL)].map(([mail]) => ({ line, mail: mail.toLowerCase() })),
  );
  const { size } = new Set(mails.map(({ mail }) => mail));
  const count = `${size} e-mail ${size === 1 ? 'address' : 'addresses'}, first in line ${mails[0]?.line}`;
  return `The suite holds what users wrote and what tools were called with, such as personal data: read it before you commit it${size === 0 ? '' : ` (${count})`}.`;
}
