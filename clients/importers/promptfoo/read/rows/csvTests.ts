import { atOnePlace } from '../../../../files/read/jsonText.ts';
import type { Located } from '../../../../files/read/parts.ts';
import { startOf } from '../../../../files/read/problems.ts';
import { BROKEN_QUOTE, readCsv } from '../../../imports/csv.ts';
import type { Findings } from '../findings.ts';
import { type Cell, testOfRow } from './rows.ts';

/** Tests of a CSV file. */
export function readCsvTests(file: string, text: string, findings: Findings): Located[] {
  const [head, ...rows] = readCsv(text);
  if (head === undefined) return [];
  const columns = head.fields.map((column) => column.trim());
  if (columns.includes('__proto__')) {
    findings.problems.error(startOf(file), '__proto__ is not the name of a column: rename it');
    return [];
  }
  return rows.flatMap(({ line, fields, isBroken }) => {
    const place = { ...startOf(file), line };
    if (isBroken) {
      findings.problems.error(place, BROKEN_QUOTE);
      return [];
    }
    if (fields.length !== columns.length) {
      const message = `has ${fields.length} fields, and the first line has ${columns.length}: correct it`;
      findings.problems.error(place, message);
      return [];
    }
    const row = columns.map((column, index): Cell => [column, fields[index] ?? '']);
    return [atOnePlace(testOfRow(row, { findings, head: startOf(file), place }), place)];
  });
}
