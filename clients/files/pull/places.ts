import type { Part } from '../read/parts.ts';
import { Problems } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { escapedReference, isReference, type NamedFile, type References } from '../resolve/references.ts';
import { editedYaml } from '../write/yamlEdit.ts';
import type { PlaceValue } from './entries.ts';

/** Fields whose value may be the name of a file. */
const FILED = ['input', 'expected', 'config.schema', 'config.rubric'];

interface Placing {
  readonly references: References;
  /** Files that are read as something else than values. */
  readonly taken: ReadonlySet<string>;
  /** Takes the new text of a file. */
  readonly write: (name: string, text: string) => void;
  readonly note: (text: string) => void;
}

/** Puts a value back into the file that it lives in, or else into the file that named it. */
export class ValuePlaces {
  readonly #placing: Placing;

  constructor(placing: Placing) {
    this.#placing = placing;
  }

  for(part: Part | undefined): PlaceValue {
    return (path, value, before) => {
      if (!FILED.includes(path.join('.'))) return value;
      const isFiled = part !== undefined && isReference(before) && this.#filed(part, path, { value, before });
      if (isFiled) return before;
      return typeof value === 'string' ? escapedReference(value) : value;
    };
  }

  #filed(
    { document, path: within }: Part,
    path: readonly string[],
    { value, before }: { value: unknown; before: string },
  ): boolean {
    const fullPath = [...within, ...path];
    const { references, taken, write, note } = this.#placing;
    const file = references.fileOf({ document, path: fullPath, value: before });
    if (file === undefined) return false;
    const place = document.at(fullPath);
    const text = file.places > 1 || taken.has(file.name) ? undefined : textWith(file, value);
    if (text !== undefined) {
      write(file.name, text);
      return true;
    }
    const why = file.places > 1 ? 'other places name that file, too' : 'that file cannot hold it';
    note(`${place.file}:${place.line}: ${path.join('.')} is here now, not in ${file.name}: ${why}`);
    return false;
  }
}

const BYTES_MAX = 1_024 * 1_024;

/** Undefined where a file of this name cannot say it. */
function textWith(file: NamedFile, value: unknown): string | undefined {
  const text = format(file, value);
  const isFine = text?.isWellFormed() && !/^\ufeff|\0/.test(text) && Buffer.byteLength(text) <= BYTES_MAX;
  return isFine ? text : undefined;
}

function format({ format: kind, name, text }: NamedFile, value: unknown): string | undefined {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'json':
      return jsonLike(text, value);
    case 'yaml':
      return editedYaml(text, readYaml(name, text, new Problems())?.value, value).text;
  }
}

/** JSON as the text before it was laid out. */
export function jsonLike(text: string, value: unknown): string {
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? (text.trim().includes('\n') ? 2 : undefined);
  return `${JSON.stringify(value, null, indent)}${text.endsWith('\n') ? '\n' : ''}`;
}
