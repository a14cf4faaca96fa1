import { caseSchema, type EvalCase } from '../../contracts/cases.ts';
import type { CaseDocuments } from '../../domain/suites/bar/rules.ts';
import { documentDigest } from '../../scoring/digest/documents.ts';
import { keysOfSuite, takeKey } from '../lists/heldKeys.ts';
import { fromText, putNew, toText } from '../table/documents.ts';
import { caseExpectedKey, caseKey, casePointerKey } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';

/** An item holds 400 kB; input and expected may have 256 kB each, so that one of them moves out when both are large. */
const DOCUMENTS_BYTES_MAX = 350_000;

export interface CaseItems {
  readonly main: Item;
  readonly expected: Item | undefined;
}

export function toItems(evalCase: Omit<EvalCase, 'sort_order'>): CaseItems {
  const { sort_order: _, ...fields } = evalCase as EvalCase;
  const input = { input: toText(evalCase.input), input_digest: documentDigest(evalCase.input) };
  const expected = {
    expected: toText(evalCase.expected),
    expected_digest: documentDigest(evalCase.expected),
  };
  if (Buffer.byteLength(input.input) + Buffer.byteLength(expected.expected) <= DOCUMENTS_BYTES_MAX) {
    return { main: { ...fields, ...input, ...expected }, expected: undefined };
  }
  return { main: { ...fields, ...input, expected: undefined, expected_elsewhere: true }, expected };
}

export const isExpectedElsewhere = (main: Item): boolean => main.expected_elsewhere === true;

export function fromItems(main: Item, elsewhere: Item | undefined, sortOrder: number): EvalCase {
  const expected = isExpectedElsewhere(main) ? elsewhere?.expected : main.expected;
  return caseSchema.parse({
    ...main,
    input: fromText(main.input),
    expected: fromText(expected),
    sort_order: sortOrder,
  });
}

export const documentsIn = (main: Item, elsewhere: Item | undefined): CaseDocuments => ({
  input_digest: String(main.input_digest),
  expected_digest: String((isExpectedElsewhere(main) ? elsewhere : main)?.expected_digest),
});

export function newCaseWrites(orgId: string, evalCase: Omit<EvalCase, 'sort_order'>): Record<string, Write> {
  const { id, suite_id: suiteId } = evalCase;
  const { main, expected } = toItems(evalCase);
  return {
    [`case ${id}`]: putNew(caseKey(orgId, suiteId, id), { ...main, version: 1 }),
    [`pointer ${id}`]: putNew(casePointerKey(orgId, id), { suite_id: suiteId }),
    ...takeKey(keysOfSuite(orgId, suiteId), evalCase),
    ...(expected && {
      [`expected ${id}`]: { Put: { Item: { ...caseExpectedKey(orgId, suiteId, id), ...expected } } },
    }),
  };
}
