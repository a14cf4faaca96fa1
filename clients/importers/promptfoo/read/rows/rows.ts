import type { Place } from '../../../../files/read/problems.ts';
import { assertionOf } from '../expected.ts';
import type { Findings } from '../findings.ts';
import { isAssertionName } from '../lost.ts';
import { TEST } from '../places.ts';
import { type Fields, isRecord } from '../values.ts';

/** A column of a table of tests, and what a row has in it. */
export type Cell = readonly [column: string, text: string];

export interface RowReading {
  readonly findings: Findings;
  /** Of the names of the columns. */
  readonly head: Place;
  /** Of the row. */
  readonly place: Place;
}

/** The test of a row: a column is a variable, but for those that begin with two underscores. */
export function testOfRow(row: readonly Cell[], reading: RowReading): Fields {
  reportUnread(row, reading);
  const cell = (name: string) => row.find(([column]) => column === name)?.[1] ?? '';
  const asserts = row
    .filter(([column, text]) => column.startsWith(EXPECTED) && text.trim() !== '')
    .map(([, text], index) => ({
      ...assertionOf(text.trim()),
      ...(cell('__metric') === '' ? {} : { metric: cell('__metric') }),
      ...thresholdOf(row, index),
    }));
  const threshold = numberIn(cell('__threshold'));
  const output = cell('__providerOutput');
  return {
    ...(cell('__description') === '' ? {} : { description: cell('__description') }),
    vars: Object.fromEntries(row.filter(([column]) => !isSpecial(column))),
    assert: asserts,
    ...(threshold === undefined ? {} : { threshold }),
    ...(output === '' ? {} : { providerOutput: output }),
  };
}

function reportUnread(row: readonly Cell[], { findings, head, place }: RowReading): void {
  for (const [column, text] of row) {
    const why = whyUnread(column);
    if (why !== undefined) findings.leaveUnread(head, why);
    const isThreshold = column === '__threshold' || THRESHOLD.test(column);
    if (isThreshold && text.trim() !== '' && numberIn(text) === undefined)
      findings.leaveUnread(place, `the column \`${column.slice(0, 60)}\` has no number here`);
  }
}

const EXPECTED = '__expected';
const KNOWN = ['__description', '__metric', '__prefix', '__providerOutput', '__suffix', '__threshold'];
const METADATA = /^__metadata(?::|$)/;
const THRESHOLD = /^__config:__expected([1-9]\d*)?:threshold$/;

/** Those that are no variable there. */
const isSpecial = (column: string): boolean =>
  column.startsWith(EXPECTED) ||
  KNOWN.includes(column) ||
  METADATA.test(column) ||
  column.startsWith('__config:');

/** What may be intended as an assertion, or as a part of one, and is none. */
function whyUnread(column: string): string | undefined {
  const name = column.slice(0, 60);
  if (column.startsWith('__')) {
    const isKnown = column.startsWith('__config:') ? THRESHOLD.test(column) : isSpecial(column);
    return isKnown ? undefined : `the column \`${name}\` is not known here`;
  }
  const isSought = isAssertionName(column) || (column.startsWith('_') && isSpecial(`_${column}`));
  return isSought
    ? `the column \`${name}\` is a variable: did you mean ${EXPECTED}, or another one with "__"?`
    : undefined;
}

/** `__config:__expected2:threshold`: columns count from 1, and the one without a number is the first. */
function thresholdOf(row: readonly Cell[], index: number): { readonly threshold?: number } {
  for (const [column, text] of row) {
    const number = THRESHOLD.exec(column);
    const threshold = numberIn(text);
    if (number !== null && Number(number[1] ?? '1') === index + 1 && threshold !== undefined)
      return { threshold };
  }
  return {};
}

function numberIn(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}

/**
 * Whether an item of a list is a row of a table, as files of tests may have them: texts and numbers by their columns. A
 * file that is named by `path` may have rows without an assertion.
 */
export function cellsOf(value: unknown, isByPath: boolean): Cell[] | undefined {
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value);
  const isTest = [...TEST.read, ...(TEST.free ?? [])].some((name) => names.includes(name));
  if (isTest || !(isByPath || names.some((name) => name.startsWith(EXPECTED)))) return undefined;
  const cells = Object.entries(value).map(([name, cell]): Cell | undefined =>
    ['string', 'number', 'boolean'].includes(typeof cell) ? [name.trim(), String(cell)] : undefined,
  );
  return cells.includes(undefined) ? undefined : (cells as Cell[]);
}
