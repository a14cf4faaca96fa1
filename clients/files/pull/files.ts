import { linesOf } from '../read/jsonText.ts';
import { isRecord } from '../read/parts.ts';
import { Problems } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { type LoadedFiles, SUITE_FILE_MAX } from '../resolve/loadFiles.ts';
import { editedYaml, Items } from '../write/yamlEdit.ts';
import { yamlText } from '../write/yamlText.ts';
import type { CaseFile } from './caseLists.ts';
import type { Raw } from './entries.ts';
import { jsonLike } from './places.ts';

/** A file of a suite or of shared scorers, and what it says next. */
interface Draft {
  readonly text: string;
  readonly before: Raw;
  after: Raw;
}

/** What is kept of a file that changes: its lines; comments and order; or nothing but what it means. */
export type Care = 'lines' | 'comments' | 'none';

/** What files of suites and shared scorers say next. */
export class SuiteFiles {
  readonly #loaded: LoadedFiles;
  readonly #drafts = new Map<string, Draft>();

  constructor(loaded: LoadedFiles) {
    this.#loaded = loaded;
  }

  /** What a file says next, for the code that changes it. */
  draft(name: string): { after: Raw } {
    const known = this.#drafts.get(name);
    if (known !== undefined) return known;
    const read = this.#loaded.repository.read(name, SUITE_FILE_MAX);
    const text = 'text' in read ? read.text : '';
    const value = readYaml(name, text, new Problems())?.value;
    const before = isRecord(value) ? value : {};
    const draft = { text, before, after: before };
    this.#drafts.set(name, draft);
    return draft;
  }

  /** The texts of those that change. */
  texts(care: Care): [string, string][] {
    return [...this.#drafts].flatMap(([name, { text, before, after }]) => {
      const next =
        care === 'none' ? yamlText(plain(after)) : editedYaml(text, before, after, care === 'lines');
      return next === text || isSame(before, after) ? [] : [[name, next]];
    });
  }
}

/** Whether nothing was changed: what is unchanged is the same object. */
const isSame = (before: Raw, after: Raw): boolean =>
  Object.keys(before).length === Object.keys(after).length &&
  Object.entries(after).every(([name, value]) => isSameValue(before[name], value));

const isSameValue = (before: unknown, after: unknown): boolean =>
  after instanceof Items
    ? Array.isArray(before) && isUnchanged(before, after)
    : before === after || (isRecord(before) && isRecord(after) && isSame(before, after));

const isUnchanged = (before: readonly unknown[], { items }: Items): boolean =>
  items.length === before.length &&
  items.every(({ from, value }, index) => from === index && before[index] === value);

const plain = (raw: Raw): Raw =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, value instanceof Items ? value.values : value]),
  );

/** The text of a file of cases; undefined where it stays as it is. */
export function caseFileText(
  { name, text, format, parts }: CaseFile,
  items: Items,
  care: Care,
): string | undefined {
  const before = parts.map(({ value }) => value);
  if (isUnchanged(before, items)) return undefined;
  if (name.endsWith('.jsonl')) {
    const lines = new Map([...linesOf(text)].map(({ line, text: json }) => [line, json]));
    const next = items.items.map(({ from, value }) => {
      const part = from === undefined ? undefined : parts[from];
      const line = part?.value === value ? lines.get(part?.document.at([]).line ?? 0) : undefined;
      return line?.trimEnd() ?? JSON.stringify(value);
    });
    return next.map((line) => `${line}\n`).join('');
  }
  return format === 'json' ? jsonLike(text, items.values) : editedYaml(text, before, items, care === 'lines');
}

/** A new file. Scorers of other files are left out of it. */
export const newSuiteText = (fields: Raw, schema: string | undefined): string =>
  yamlText(fields, schema === undefined ? undefined : `yaml-language-server: $schema=${schema}`);
