import { commaSeparated } from '../map/commaSeparated.ts';
import { TYPES } from './types.ts';

export const EXPECTED = new RegExp(
  `^((?:not-)?(?:${TYPES.join('|')}))(?:\\((\\d+(?:\\.\\d+)?)\\))?(?::([\\s\\S]*))?$`,
);
const PROGRAM = /^(?:javascript:|fn:|eval:|file:\/\/(?=.*\.[cm]?[jt]s(?::\w+)?$))([\s\S]*)$/;
const SCRIPT = /^(?:python:|file:\/\/(?=.*\.py(?::|$)))([\s\S]*)$/;
const WITH_LIST = /^(?:not-)?i?contains-(?:all|any)$/;
const WITH_THRESHOLD =
  /^(?:not-)?(?:answer-relevance|classifier|context-\w+|cost|latency|levenshtein|perplexity(?:-score)?|rouge-n|similar|starts-with)$/;

/** The assertion of a cell: `contains: Paris`, `similar(0.8): hello`, or a text to be equal to. */
export function assertionOf(text: string): Readonly<Record<string, unknown>> {
  const program = PROGRAM.exec(text)?.[1];
  if (program !== undefined) return { type: 'javascript', value: program.trim() };
  if (text.startsWith('grade:')) return { type: 'llm-rubric', value: text.slice('grade:'.length) };
  const script = SCRIPT.exec(text)?.[1];
  if (script !== undefined) return { type: 'python', value: script.trim() };
  const [, type, threshold, value] = EXPECTED.exec(text) ?? [];
  if (type === undefined) return { type: 'equals', value: text };
  if (WITH_LIST.test(type)) return { type, value: value && (commaSeparated(value) ?? value) };
  if (!WITH_THRESHOLD.test(type)) return { type, value: value?.trim() };
  const fallback = type.endsWith('similar') ? 0.8 : 0.75;
  return { type, value: value?.trim(), threshold: threshold === undefined ? fallback : Number(threshold) };
}
