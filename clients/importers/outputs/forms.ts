import { linesOf } from '../../files/read/jsonText.ts';
import { isRecord } from '../../files/read/parts.ts';

/** Results of promptfoo, a log of Inspect, spans of OpenTelemetry. */
export type ForeignForm = 'promptfoo' | 'inspect' | 'otlp';

const WORDS: Readonly<Record<ForeignForm | 'own', string>> = {
  own: 'an output with a case',
  promptfoo: 'a result of promptfoo',
  inspect: 'a log of Inspect',
  otlp: 'a line of OTLP JSON',
};

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Of the first line, else of the whole text. Undefined for our own form. */
export function formOf(text: string): ForeignForm | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const first = linesOf(text).next().value?.text ?? '';
  const form = formOfValue(parsed(first) ?? parsed(text));
  return form === 'own' ? undefined : form;
}

function formOfValue(value: unknown): ForeignForm | 'own' | undefined {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, 'case')) return 'own';
  if (Array.isArray(value.resourceSpans)) return 'otlp';
  if (isRecord(value.eval) && Array.isArray(value.samples)) return 'inspect';
  const isList = resultsIn(value) !== undefined;
  return isList || isRecord(value.testCase) || (isRecord(value.vars) && Object.hasOwn(value, 'response'))
    ? 'promptfoo'
    : undefined;
}

export const resultsIn = (value: Readonly<Record<string, unknown>>): readonly unknown[] | undefined => {
  const inner = isRecord(value.results) ? value.results.results : value.results;
  return Array.isArray(inner) ? inner : undefined;
};

/** Of a line in a file of another form. Undefined where it may be one of the file's, or is none of any form. */
export function whyOtherForm(value: unknown, form: ForeignForm | 'own'): string | undefined {
  const formOfItem = formOfValue(value);
  if (formOfItem === undefined || formOfItem === form) return undefined;
  return `is ${WORDS[formOfItem]}, and others of the file are of another form: give each form a file of its own`;
}

const ANSWERS = ['output', 'error', 'trace', 'messages'];

/** Whether a text is a file of outputs in any form, and so no answer itself. */
export function holdsOutputs(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const first = parsed(linesOf(text).next().value?.text ?? '') ?? parsed(text);
  const value = Array.isArray(first) ? first[0] : first;
  const form = formOfValue(value);
  const isOwn = isRecord(value) && ANSWERS.some((name) => Object.hasOwn(value, name));
  return form === 'own' ? isOwn : form !== undefined;
}
