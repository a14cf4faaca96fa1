import path from 'node:path';
import { megabytes } from '../disk/readText.ts';
import type { Repository } from '../disk/repository.ts';
import { readJson, readJsonLines } from '../read/jsonText.ts';
import type { Located } from '../read/parts.ts';
import { inWords, type Part } from '../read/parts.ts';
import { type Problems, startOf } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';

const FILE_MAX = megabytes(1);
/** Of all files that are named: a suite is sent in 6 MB. */
const ALL_CHARACTERS_MAX = 64_000_000;

export const PREFIX = 'file://';
/** Text that begins like a reference, and is none: it is written with one backslash more. */
const ESCAPED = /^\\+file:\/\//;

export const isReference = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(PREFIX);

interface Named {
  readonly name: string;
  readonly text: string;
}

export interface NamedFile extends Named {
  readonly format: 'json' | 'yaml' | 'text';
  /** How many places of the files that were read name it. */
  readonly places: number;
}

/** The files that suites name by `file://`. Each is read once. */
export class References {
  readonly #repository: Repository;
  readonly #problems: Problems;
  /** By the folder of the file that says it, and what it says. */
  readonly #byPlace = new Map<string, Named>();
  readonly #values = new Map<string, unknown>();
  /** By the real path of each file: the places that name it. */
  readonly #namedAt = new Map<string, Set<string>>();
  #left = ALL_CHARACTERS_MAX;

  constructor(repository: Repository, problems: Problems) {
    this.#repository = repository;
    this.#problems = problems;
  }

  /** The text that a field has, in its file or in another. Undefined where it cannot be had. */
  text(part: Part): unknown {
    const { value } = part;
    if (isReference(value)) return this.#named(part, value)?.text;
    return unescaped(value);
  }

  /** The same, for fields that are any JSON: parsed where the file's name says so, else its text. */
  document(part: Part, { isText }: { readonly isText: boolean }): unknown {
    const { value } = part;
    if (!isReference(value)) return isText ? unescaped(value) : value;
    const named = this.#named(part, value);
    if (named === undefined) return undefined;
    if (!this.#values.has(named.name)) this.#values.set(named.name, this.#parsed(named)?.value);
    if (formatOf(named.name) !== 'text') return this.#values.get(named.name);
    if (isText) return named.text;
    this.#refuse(part, 'names a text, and must be an object: name a file that ends in .json or .yaml');
    return undefined;
  }

  /** The cases of a file, each with its place. */
  cases(part: Part & { readonly value: string }): Part[] {
    const named = this.#named(part, part.value);
    if (named === undefined) return [];
    const { errorCount } = this.#problems;
    const cases = this.#casesIn(part, named);
    if (cases.length === 0 && this.#problems.errorCount === errorCount)
      this.#problems.warn(startOf(named.name), 'holds no case: add one, or name the file no more');
    return cases;
  }

  #casesIn(part: Part, named: Named): Part[] {
    const { name, text } = named;
    if (name.endsWith('.jsonl')) {
      const lines = [...readJsonLines(name, text, this.#problems)];
      return lines.map((document) => ({ document, path: [], value: document.value }));
    }
    if (formatOf(name) === 'text') {
      this.#refuse(part, 'must name a file that ends in .yaml, .json or .jsonl');
      return [];
    }
    const document = this.#parsed(named);
    if (document === undefined) return [];
    if (!Array.isArray(document.value)) {
      this.#problems.error(startOf(name), 'must be a list of cases');
      return [];
    }
    return document.value.map((value: unknown, index) => ({ document, path: [index], value }));
  }

  /** The file that a part names, as far as it could be read. */
  fileOf(part: Part & { readonly value: string }): NamedFile | undefined {
    const named = this.#named(part, part.value);
    if (named === undefined) return undefined;
    const places = this.#namedAt.get(this.#repository.realOf(named.name))?.size ?? 0;
    return { ...named, format: formatOf(named.name), places };
  }

  #parsed({ name, text }: Named): Located | undefined {
    switch (formatOf(name)) {
      case 'json':
        return readJson(text, startOf(name), this.#problems);
      case 'yaml':
        return readYaml(name, text, this.#problems);
      default:
        return undefined;
    }
  }

  #named(part: Part, value: string): Named | undefined {
    const { file } = part.document.at(part.path);
    const place = `${path.posix.dirname(file)}\0${value}`;
    const known = this.#byPlace.get(place);
    if (known !== undefined) {
      this.#count(known.name, part);
      return known;
    }
    const read = this.#repository.readNamed(file, value.slice(PREFIX.length), FILE_MAX);
    if ('why' in read) {
      this.#refuse(part, read.why, value);
      return undefined;
    }
    this.#left -= read.text.length;
    if (this.#left < 0) {
      this.#refuse(part, 'is one file too many: all that are named have at most 64 MB', value);
      return undefined;
    }
    this.#byPlace.set(place, read);
    this.#count(read.name, part);
    return read;
  }

  #count(name: string, { document, path: within }: Part): void {
    const real = this.#repository.realOf(name);
    const { file, line } = document.at(within);
    const places = this.#namedAt.get(real) ?? new Set();
    this.#namedAt.set(real, places.add(JSON.stringify([file, line, ...within.map(String)])));
  }

  #refuse({ document, path }: Part, why: string, value = ''): void {
    this.#problems.error(
      document.at(path),
      `${inWords(path)} ${value === '' ? '' : `${value.slice(0, 200)} `}${why}`,
    );
  }
}

const unescaped = (value: unknown): unknown =>
  typeof value === 'string' && ESCAPED.test(value) ? value.slice(1) : value;

/** Text as a file has it, so that it is read as itself. */
export const escapedReference = (text: string): string =>
  isReference(text) || ESCAPED.test(text) ? `\\${text}` : text;

function formatOf(name: string): NamedFile['format'] {
  if (name.endsWith('.json')) return 'json';
  return name.endsWith('.yaml') || name.endsWith('.yml') ? 'yaml' : 'text';
}
