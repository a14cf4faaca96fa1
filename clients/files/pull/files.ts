import { linesOf } from '../read/jsonText.ts';
import { isRecord } from '../read/parts.ts';
import { Problems } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { isSameJson } from '../read/sameJson.ts';
import { type LoadedFiles, SUITE_FILE_MAX } from '../resolve/loadFiles.ts';
import { type EditedYaml, editedYaml } from '../write/yamlEdit.ts';
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

  /** Those that change. */
  edited(): [string, EditedYaml][] {
    return [...this.#drafts].flatMap(([name, { text, before, after }]) =>
      isSameJson(before, after) ? [] : [[name, editedYaml(text, before, after)]],
    );
  }
}

/** A file of cases as it is next; undefined where it stays as it is. */
export function editedCaseFile(
  { name, text, format, parts }: CaseFile,
  cases: readonly unknown[],
): EditedYaml | undefined {
  const before = parts.map(({ value }) => value);
  if (isSameJson(before, cases)) return undefined;
  if (name.endsWith('.jsonl')) {
    const lines = new Map([...linesOf(text)].map(({ line, text: json }) => [line, json]));
    const known = new Map(parts.map(({ value, document }) => [value, lines.get(document.at([]).line)]));
    const next = cases.map((value) => known.get(value)?.trimEnd() ?? JSON.stringify(value));
    return { text: next.map((line) => `${line}\n`).join(''), isKept: true };
  }
  return format === 'json' ? { text: jsonLike(text, cases), isKept: true } : editedYaml(text, before, cases);
}

/** A new file. Scorers of other files are left out of it. */
export const newSuiteText = (fields: Raw, schema: string | undefined): string =>
  yamlText(fields, schema === undefined ? undefined : `yaml-language-server: $schema=${schema}`);
