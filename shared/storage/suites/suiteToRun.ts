import type { Scorer } from '../../contracts/scorers.ts';
import { EXPECTED_CHARACTERS_MAX, READ_BYTES_MAX } from '../../domain/limits.ts';
import { sourceOf } from '../../domain/runs/results/excerpts.ts';
import { rulesOf } from '../../domain/suites/bar/rules.ts';
import type { ReadSuite } from '../../domain/suites/ports.ts';
import { idsOf, readList } from '../lists/lists.ts';
import { toText } from '../table/documents.ts';
import {
  caseExpectedKey,
  caseKey,
  caseList,
  casesOfSuite,
  SK,
  scorerKey,
  suiteKey,
  TTL,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { documentsIn, fromItems, isExpectedElsewhere } from './caseItems.ts';
import { caseBytes, pagesOf } from './casePages.ts';
import { readScorer } from './scorers.ts';
import { barOf } from './suiteBars.ts';

type Case = ReadSuite['cases'][number] & { scorerId: string };

const PAGE_ITEMS = 1_000;
const NO_INPUT = toText({});
/** Those of larger suites are read when they are needed. */
const INPUT_TEXTS_MAX = 2_000_000;
const NOT_KEPT = toText(null);

/** The parts of a suite that a run needs, without the input of cases, which only judges read. */
export async function loadSuite(
  table: Table,
  orgId: string,
  suiteId: string,
  { expectedCharactersMax = EXPECTED_CHARACTERS_MAX, readBytesMax = READ_BYTES_MAX } = {},
): Promise<ReadSuite | undefined> {
  let inputCharacters = 0;
  let characters = 0;
  let bytes = 0;
  const isTooLarge = () => characters > expectedCharactersMax;
  function slim(item: Item): Item {
    // An item with a time to live is of a deleted case.
    if (item[TTL] === undefined) characters += String(item.expected ?? '').length;
    bytes += caseBytes(item);
    const kept = isTooLarge() && item.expected !== undefined ? { expected: NOT_KEPT } : {};
    if (item.input === undefined) return { ...item, ...kept };
    const input_text = sourceOf(item.input, NO_INPUT);
    inputCharacters += input_text.length;
    const known = inputCharacters <= INPUT_TEXTS_MAX ? { input_text } : {};
    return { ...item, input: NO_INPUT, ...known, ...kept };
  }
  async function readItems(): Promise<Item[] | undefined> {
    const items: Item[] = [];
    for await (const page of pagesOf(table, casesOfSuite(orgId, suiteId), { limit: PAGE_ITEMS, slim })) {
      if (bytes > readBytesMax) return undefined;
      items.push(...page);
    }
    return items;
  }
  const [suite, items, blocks] = await Promise.all([
    table.get(suiteKey(orgId, suiteId)),
    readItems(),
    readList(table, caseList(orgId, suiteId)),
  ]);
  if (suite === undefined) return undefined;
  const bar = barOf(suite);
  if (items === undefined)
    return { ...bar, isTooLarge: true, bytes, cases: [], unread: idsOf(blocks).length };
  const bySortKey = new Map(items.map((item) => [String(item[SK]), item]));
  const cases = idsOf(blocks).flatMap((id) => activeCase(orgId, suiteId, id, bySortKey));
  const scorers = await loadScorers(table, orgId, cases);
  return {
    ...bar,
    isTooLarge: isTooLarge(),
    bytes,
    cases: cases.map(({ scorerId, ...evalCase }) => {
      const scorer = scorers.get(scorerId);
      const usable = scorer !== undefined && scorer.project_id === suite.project_id;
      const expected = isTooLarge() ? null : evalCase.expected;
      return { ...evalCase, expected, scorer: usable ? scorer : null };
    }),
  };
}

function activeCase(orgId: string, suiteId: string, id: string, items: ReadonlyMap<string, Item>): Case[] {
  const main = items.get(caseKey(orgId, suiteId, id).sk);
  if (main === undefined || main.is_active !== true) return [];
  const elsewhere = isExpectedElsewhere(main) ? items.get(caseExpectedKey(orgId, suiteId, id).sk) : undefined;
  const evalCase = fromItems(main, elsewhere, 0);
  const { name, expected, threshold, weight, scorer_id: scorerId } = evalCase;
  const rules = { ...rulesOf(evalCase), ...documentsIn(main, elsewhere) };
  const inputText = main.input_text === undefined ? undefined : String(main.input_text);
  return [{ id, name, expected, threshold, weight, ...rules, inputText, scorerId, scorer: null }];
}

async function loadScorers(
  table: Table,
  orgId: string,
  cases: readonly Case[],
): Promise<Map<string, Scorer>> {
  const ids = [...new Set(cases.map((evalCase) => evalCase.scorerId))];
  const items = await table.getMany(ids.map((id) => scorerKey(orgId, id)));
  return new Map(
    items.filter((item) => item !== undefined).map((item) => [String(item.id), readScorer(item)]),
  );
}
