import type { YAMLMap, YAMLSeq } from 'yaml';
import { type CST, isCollection, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { isRecord } from '../read/parts.ts';
import { Problems } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { isSameJson } from '../read/sameJson.ts';
import { entryText, OPTIONS, yamlText } from './yamlText.ts';

export interface EditedYaml {
  readonly text: string;
  /** Whether all but the changed values is as it was. Else the text has no comments. */
  readonly isKept: boolean;
}

/**
 * The text with `after` in place of `before`, which is what it holds. Only changed values are written: everything else
 * stays as it is. Items of lists are the same ones if they are equal or have the same `key`.
 */
export function editedYaml(text: string, before: unknown, after: unknown): EditedYaml {
  const original = text.endsWith('\n') ? text : `${text}\n`;
  const { contents } = parseDocument(original, { ...OPTIONS, uniqueKeys: false, keepSourceTokens: true });
  if (canEdit(contents, before, after)) {
    const edited = new YamlEditor(original).edited(contents, before, after);
    const isRead = isSameJson(readYaml('', edited, new Problems())?.value, after);
    if (isRead) return { text: edited, isKept: true };
  }
  return { text: yamlText(after), isKept: false };
}

type Collection = YAMLMap | YAMLSeq;

/** An item of a list or a field of a map, by offsets in the text. */
interface Entry {
  /** Where its dash or its name begins. */
  readonly start: number;
  /** Behind its dash or its colon; in `[a, b]` where it begins. */
  readonly mark: number;
  /** Behind its value. */
  readonly end: number;
  readonly value: Node | null;
  /** Comments between mark and value. */
  readonly comment: string;
}

/** What comes next in a list or a map: an entry that it has, or the value of a new one. `name`: in a map. */
interface Next {
  readonly from: number | undefined;
  readonly name: string;
  readonly value: unknown;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

class YamlEditor {
  readonly #text: string;
  readonly #lineEnd: string;
  readonly #tokens = new WeakMap<Collection, readonly CST.CollectionItem[]>();
  #edits: Edit[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  }

  edited(root: Collection, before: unknown, after: unknown): string {
    return this.#part(0, this.#text.length, () => this.#edit(root, before, after));
  }

  /** A part of the text, with the edits that `edit` makes in it. */
  #part(start: number, end: number, edit: () => void): string {
    const outer = this.#edits;
    this.#edits = [];
    edit();
    const pieces: string[] = [];
    let next = start;
    for (const edit of this.#edits) {
      pieces.push(this.#text.slice(next, edit.start), edit.text);
      next = edit.end;
    }
    this.#edits = outer;
    return [...pieces, this.#text.slice(next, end)].join('');
  }

  #edit(node: Collection, before: unknown, after: unknown): void {
    const next = isMap(node)
      ? nextFields(node, before as Fields, after as Fields)
      : nextItems(before as unknown[], after as unknown[]);
    const editValue = ({ from, value }: Next): void => {
      if (from === undefined) return;
      const valueBefore = isMap(node)
        ? (before as Fields)[nameOf(node.items[from] as Pair)]
        : (before as unknown[])[from];
      if (isSameJson(valueBefore, value)) return;
      const entry = this.#entry(node, from);
      if (canEdit(entry.value, valueBefore, value)) this.#edit(entry.value, valueBefore, value);
      else this.#replace(node, entry, value);
    };
    const isInPlace = next.length === node.items.length && next.every(({ from }, index) => from === index);
    if (isInPlace) next.forEach(editValue);
    else if (node.flow) this.#rebuildFlow(node, next, editValue);
    else this.#rebuildBlock(node, next, editValue);
  }

  #replace(parent: Collection, { start, mark, end, value, comment }: Entry, after: unknown): void {
    const isInFlow = parent.flow === true;
    const writing = {
      isInFlow,
      // Lines of comments would be part of a text of several lines.
      isValueInFlow: typeof after === 'string' && comment.includes('\n'),
      like: isScalar(value) ? value : undefined,
    };
    const written = isSeq(parent)
      ? entryText([after], writing).slice(isInFlow ? 0 : '-'.length)
      : entryText({ k: after }, writing).slice('k:'.length);
    const [head = '', ...lines] = this.#shifted(written, this.#columnOf(start)).split('\n');
    // A comment behind the value would be part of a text of several lines.
    const behind = lines.length === 0 ? '' : this.#text.slice(end, this.#endOfLine(end)).trimEnd();
    const text = [head + comment + behind, ...lines].join(this.#lineEnd);
    this.#edits.push({ start: mark, end: end + behind.length, text });
  }

  /** Each entry has its own lines: comments and blank lines above it belong to it. */
  #rebuildBlock(node: Collection, next: readonly Next[], edit: (next: Next) => void): void {
    const entries = node.items.map((_, index) => this.#entry(node, index));
    const start = entries[0]?.start ?? 0;
    const ends = entries.map(({ end }) => this.#endOfLine(end) + 1);
    const column = this.#columnOf(start);
    const indent = ' '.repeat(column);
    const areItemsInline = entries.every(
      ({ value }) => isScalar(value) || (isCollection(value) && value.flow),
    );
    const pieces = next.map((entry) => {
      const { from, name, value } = entry;
      if (from === undefined) {
        const text = entryText(isSeq(node) ? [value] : { [name]: value }, {
          isValueInFlow: isSeq(node) && areItemsInline,
        });
        return `${indent}${this.#shifted(text, column)}\n`.replaceAll('\n', this.#lineEnd);
      }
      const [pieceStart, pieceEnd] = [from === 0 ? start : ends[from - 1], ends[from]] as [number, number];
      return `${from === 0 ? indent : ''}${this.#part(pieceStart, pieceEnd, () => edit(entry))}`;
    });
    this.#edits.push({ start, end: ends.at(-1) ?? start, text: pieces.join('').trimStart() });
  }

  /** What stands behind an entry, such as a comma and a comment, stays behind it. */
  #rebuildFlow(node: Collection, next: readonly Next[], edit: (next: Next) => void): void {
    const entries = node.items.map((_, index) => this.#entry(node, index));
    const [start, end] = [entries[0]?.start ?? 0, entries.at(-1)?.end ?? 0];
    const behind = (from: number | undefined): string | undefined =>
      from === undefined || from === entries.length - 1
        ? undefined
        : this.#text.slice(entries[from]?.end, entries[from + 1]?.start);
    const pieces = next.map((item, index) => {
      const { from, name, value } = item;
      const gap = behind(from);
      const isLast = index === next.length - 1;
      const separator = isLast ? (gap?.includes('#') ? gap : '') : (gap ?? ', ');
      const entry = from === undefined ? undefined : entries[from];
      const text =
        entry === undefined
          ? entryText(isSeq(node) ? [value] : { [name]: value }, { isInFlow: true })
          : this.#part(entry.start, entry.end, () => edit(item));
      return text + separator;
    });
    this.#edits.push({ start, end, text: pieces.join('') });
  }

  #entry(node: Collection, index: number): Entry {
    const item = node.items[index];
    const value = (isMap(node) ? (item as Pair).value : item) as Node | null;
    const { start: before, key, sep, value: token } = this.#tokensOf(node)[index] as CST.CollectionItem;
    const start = before.find(isTelling)?.offset ?? (key ?? token)?.offset ?? 0;
    const between = (isMap(node) ? sep : before) ?? [];
    const marking = between.find(({ type }) => type === 'map-value-ind' || type === 'seq-item-ind');
    const comments = between.filter(
      ({ type, offset }) => type === 'comment' && offset > (marking?.offset ?? 0),
    );
    const last = between.findLast(isTelling);
    const header = isScalar(value) && isBlockScalar(value) && value.comment ? ` #${value.comment}` : '';
    const comment =
      comments.length === 0 ? header : ` ${this.#text.slice(comments[0]?.offset, endOf(comments.at(-1)))}`;
    return {
      start,
      mark: marking === undefined ? start : endOf(marking),
      end: this.#endOfValue(value) ?? (last === undefined ? start : endOf(last)),
      value,
      comment,
    };
  }

  #tokensOf(node: Collection): readonly CST.CollectionItem[] {
    const known = this.#tokens.get(node);
    if (known !== undefined) return known;
    const tokens = isMap(node)
      ? node.items.map(({ srcToken }) => srcToken as CST.CollectionItem)
      : ((node.srcToken as CST.BlockSequence | CST.FlowCollection).items as CST.CollectionItem[]).filter(
          ({ start, sep, value }) => sep !== undefined || value !== undefined || start.some(isTelling),
        );
    this.#tokens.set(node, tokens);
    return tokens;
  }

  /** Before the end of its last line. Undefined for a value that is not written. */
  #endOfValue(value: Node | null): number | undefined {
    if (isCollection(value) && !value.flow)
      return this.#entry(value as Collection, value.items.length - 1).end;
    const [start, end] = value?.range ?? [0, 0];
    if (start === end) return undefined;
    if (!isScalar(value) || !isBlockScalar(value)) return end;
    const text = this.#text.slice(start, end);
    // Of a text that keeps its line ends, blank lines are part.
    const isKeeping = /^.[0-9]?\+/.test(text);
    return start + (isKeeping ? text.replace(/\r?\n$/, '') : text.trimEnd()).length;
  }

  #columnOf(offset: number): number {
    return offset - (this.#text.lastIndexOf('\n', offset - 1) + 1);
  }

  #endOfLine(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    return end === -1 ? this.#text.length : end;
  }

  #shifted(text: string, columns: number): string {
    return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(columns)}`);
  }
}

const endOf = (token: CST.SourceToken | undefined): number =>
  token === undefined ? 0 : token.offset + token.source.length;

const BLANK: readonly string[] = ['space', 'newline', 'comment', 'comma'];
const isTelling = ({ type }: CST.SourceToken): boolean => !BLANK.includes(type);

const isBlockScalar = ({ type }: { readonly type?: string | undefined }): boolean =>
  type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a list stays a list, and a map a map: its entries are edited then. */
function canEdit(node: unknown, before: unknown, after: unknown): node is Collection {
  if (isMap(node))
    return isRecord(before) && isRecord(after) && node.items.length > 0 && Object.keys(after).length > 0;
  if (!isSeq(node) || !Array.isArray(before) || !Array.isArray(after)) return false;
  return node.items.length > 0 && node.items.length === before.length && after.length > 0;
}

function nextFields({ items }: YAMLMap, before: Fields, after: Fields): Next[] {
  const names = items.map(nameOf);
  const kept = names.map((name, from) => ({ from, name, value: after[name] }));
  const known = new Set(names);
  const added = Object.entries(after).filter(([name, value]) => {
    const isMerged = Object.hasOwn(before, name) && isSameJson(before[name], value);
    return !known.has(name) && !isMerged;
  });
  return [
    ...kept.filter(({ name }) => Object.hasOwn(after, name) || name === '<<'),
    ...added.map(([name, value]) => ({ from: undefined, name, value })),
  ];
}

/** As the reader of files takes names. */
function nameOf({ key }: Pair): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

const identityOf = (item: unknown): string =>
  isRecord(item) && typeof item.key === 'string' ? `key ${item.key}` : JSON.stringify(item);

/** An item that is not there any more gives its place to a new one if the list is as long as before. */
function nextItems(before: readonly unknown[], after: readonly unknown[]): Next[] {
  const places = Map.groupBy(before.keys().toArray().toReversed(), (index) => identityOf(before[index]));
  const previousPlaces = after.map((item) => places.get(identityOf(item))?.pop());
  const taken = new Set(previousPlaces);
  const isSameLength = before.length === after.length;
  return after.map((value, index) => {
    const isFree = isSameLength && !taken.has(index);
    return { from: previousPlaces[index] ?? (isFree ? index : undefined), name: '', value };
  });
}
