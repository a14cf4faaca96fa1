import type { OutputItem } from '../../sdk/index.ts';
import { faultOfJson, linesOf } from '../../suites/read/jsonText.ts';
import { Problem } from '../problem.ts';

export interface OutputLines {
  readonly items: readonly OutputItem[];
  /** The line that each item stands in, from 1. */
  readonly lines: readonly number[];
}

const FORM = 'A line is such as {"case": "return-window", "output": "…"}, or has "error" for "output".';

/** JSONL: one object a line, of which `case` may be a list. */
export function parseOutputs(text: string, place: string): OutputLines {
  const items: OutputItem[] = [];
  const lines: number[] = [];
  for (const { line, text: json } of linesOf(text)) {
    for (const item of itemsOf(json, `${place}, line ${line}`)) {
      items.push(item);
      lines.push(line);
    }
  }
  if (items.length === 0) throw new Problem(`${place} holds no output.`, FORM);
  return { items, lines };
}

function itemsOf(line: string, where: string): OutputItem[] {
  const item = objectOf(line, where);
  const { case: named, output, error, ...rest } = item;
  const names = Array.isArray(named) ? named : [named];
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '')) {
    throw new Problem(`${where}: "case" is no key of a case, and no list of such.`, FORM);
  }
  const given = Object.entries({ output, error }).filter(([, value]) => value !== undefined);
  const [[field, value] = ['output', undefined], ...others] = given;
  if (others.length > 0) throw new Problem(`${where}: "error" stands beside "output".`, FORM);
  if (typeof value !== 'string') throw new Problem(`${where}: "${field}" is no text.`, FORM);
  return names.map((name) => ({ ...rest, case: name, [field]: value }));
}

function objectOf(line: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Problem(`${where}: it is not JSON.`, FORM);
  }
  const fault = faultOfJson(line, value);
  if (fault !== undefined) throw new Problem(`${where} can't be sent: ${fault}.`);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Problem(`${where}: it is no JSON object.`, FORM);
}
