import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { isRecord } from '../read/parts.ts';
import { isSameJson } from '../read/sameJson.ts';
import { keepLines } from './keptLines.ts';
import { HIDDEN, hiddenInDigits, OPTIONS, quoteHostile } from './yamlText.ts';

/** A list of which some items are those of the list before it. */
export class Items {
  readonly items: readonly { readonly from?: number | undefined; readonly value: unknown }[];

  constructor(items: Items['items']) {
    this.items = items;
  }

  get values(): unknown[] {
    return this.items.map(({ value }) => value);
  }
}

/** How the text is written, as far as a writer can do the same. */
function styleOf(text: string) {
  const indent = /^( {1,8})[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  return {
    lineWidth: 0,
    indent: Math.max(indent, 2),
    indentSeq: areListsIndented(text),
    flowCollectionPadding: text.includes('{ ') || !/\{["\w]/.test(text),
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  };
}

/** Whether the items of a list stand further in than the name of the list. */
function areListsIndented(text: string): boolean {
  let before = '';
  for (const line of text.split('\n')) {
    const own = line.trimStart();
    if (own === '' || own.startsWith('#')) continue;
    if (own.startsWith('- ') && /^ *[\w"'][^#]*:\s*(?:#.*)?$/.test(before)) {
      return line.length - own.length > before.length - before.trimStart().length;
    }
    before = line;
  }
  return true;
}

/**
 * The text with `after` in place of `before`, which is what it says. Comments and order stay; with `keeps` also the
 * lines of what both have, so that only reading the result shows whether it says `after`.
 */
export function editedYaml(text: string, before: unknown, after: unknown, keeps: boolean): string {
  const parsed = (): Document => parseDocument(text, { ...OPTIONS, uniqueKeys: false });
  const [base, next] = [parsed(), parsed()];
  next.contents = assigned(next, next.contents as Node, before, after) as typeof next.contents;
  const style = styleOf(text);
  const written = (document: Document): string => {
    const out = document.toString(style);
    return HIDDEN.test(text) || text.includes('##[') ? out : hiddenInDigits(out);
  };
  const whole = written(next);
  const edited = (keeps ? keepLines(text, written(base), whole) : undefined) ?? whole;
  return text.includes('\r\n') ? edited.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : edited;
}

type Value = Node | null;

function assigned(document: Document, node: Value, before: unknown, after: unknown): Value {
  if (after instanceof Items) return withItems(document, node, before, after);
  if (before === after || isSameJson(before, after)) return node;
  if (isMap(node) && isRecord(before) && isRecord(after)) return withFields(document, node, before, after);
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) {
    const items = after.map((value, index) => ({ from: index < before.length ? index : undefined, value }));
    return withItems(document, node, before, new Items(items));
  }
  return withCommentsOf(node, created(document, after));
}

function withItems(document: Document, node: Value, before: unknown, after: Items): Value {
  if (!isSeq(node) || !Array.isArray(before)) return withCommentsOf(node, created(document, after.values));
  const old = [...node.items] as Node[];
  const isFlow = old.length > 0 && old.every((item) => isScalar(item) || (item as YAMLMap).flow === true);
  node.items = after.items.map(({ from, value }) => {
    if (from !== undefined) return assigned(document, old[from] ?? null, before[from], value);
    const item = created(document, value);
    if (isFlow && isMap(item)) item.flow = true;
    return item;
  });
  if (old.length === 0) node.flow = false;
  return node;
}

type Fields = Readonly<Record<string, unknown>>;

function withFields(document: Document, node: YAMLMap, before: Fields, after: Fields): YAMLMap {
  node.items = node.items.filter((pair) => Object.hasOwn(after, nameOf(pair)) || nameOf(pair) === '<<');
  const pairs = new Map(node.items.map((pair) => [nameOf(pair), pair]));
  for (const [name, value] of Object.entries(after)) {
    const pair = pairs.get(name);
    if (pair !== undefined) pair.value = assigned(document, pair.value as Value, before[name], value);
    else if (!(Object.hasOwn(before, name) && isSameJson(before[name], value))) {
      node.items.push(createdPair(document, name, value));
    }
  }
  return node;
}

/** As the reader of files takes names. */
function nameOf({ key }: Pair): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function createdPair(document: Document, name: string, value: unknown): Pair {
  const { items } = created(document, { [name]: value }) as YAMLMap;
  const [pair] = items;
  if (pair === undefined) throw new Error('a map of one field has one pair');
  return pair;
}

const SHORT_MAX = 60;

function created(document: Document, value: unknown): Node {
  const plain = value instanceof Items ? value.values : value;
  const node = document.createNode(plain, { aliasDuplicateObjects: false }) as Node;
  visit(node, {
    Seq(_, list) {
      const isShort = list.items.every((item) => isScalar(item) && !String(item.value).includes('\n'));
      if (isShort && JSON.stringify(list.items.map((item) => (item as Scalar).value)).length < SHORT_MAX)
        list.flow = true;
    },
  });
  return quoteHostile(node);
}

function withCommentsOf(before: Value, next: Node): Node {
  if (!isNode(before) || isAlias(before)) return next;
  next.commentBefore = before.commentBefore ?? null;
  next.comment = before.comment ?? null;
  if (before.spaceBefore) next.spaceBefore = true;
  if (
    isScalar(before) &&
    isScalar(next) &&
    next.type === undefined &&
    isQuoted(before) &&
    typeof next.value === 'string'
  ) {
    next.type = before.type as Scalar.Type;
  }
  return next;
}

const isQuoted = ({ type }: Scalar): boolean => type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE;
