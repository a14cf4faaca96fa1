import path from 'node:path';
import { filesOf } from '../../../files/disk/globs.ts';
import { megabytes, type ReadText } from '../../../files/disk/readText.ts';
import type { Repository } from '../../../files/disk/repository.ts';
import { readJsonLines } from '../../../files/read/jsonText.ts';
import type { Located, Part } from '../../../files/read/parts.ts';
import { type Place, startOf } from '../../../files/read/problems.ts';
import { readYaml } from '../../../files/read/readYaml.ts';
import { looksLikeKey } from '../../imports/keys.ts';
import type { Findings } from './findings.ts';
import { withoutRefs } from './refs.ts';
import { readCsvTests } from './rows/csvTests.ts';

const FILE_MAX = megabytes(6);
const ALL_CHARACTERS_MAX = 64_000_000;
/** Files that name files that name files. */
const CHAIN_MAX = 16;
const PREFIX = 'file://';
/** Where configs of promptfoo and of CI lie. No other dot-file is read. */
const OPEN_FOLDERS = ['.promptfoo', '.github'];

/** Programs, and what no text can hold: such files are reported, and never opened. */
const NOT_READ =
  /\.(?:[cm]?[jt]sx?|py|rb|go|sh|xlsx?|pdf|png|jpe?g|gif|webp|bmp|svg|mp[34]|wav|ogg|webm|mov)$/i;

export const isFileName = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(PREFIX);

/** A file as a config names it, with the function of it behind a colon. */
function programOf(reference: string): string {
  const file = reference.replace(/:[\w.]+$/, '');
  const sheet = file.indexOf('#', file.lastIndexOf('/') + 1);
  return sheet === -1 ? file : file.slice(0, sheet);
}

/** Whether it is a program, an image or a table of a spreadsheet. */
export const isNotRead = (reference: string): boolean => NOT_READ.test(programOf(reference));

export const hasWildcard = (reference: string): boolean => /[*?]/.test(reference);

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The files of a promptfoo config. One that is missing or refused is reported, and nothing is executed. */
export class Sources {
  readonly #repository: Repository;
  readonly #findings: Findings;
  readonly #config: string;
  readonly #known = new Map<string, ReadText>();
  #left = ALL_CHARACTERS_MAX;

  constructor(repository: Repository, config: string, findings: Findings) {
    this.#repository = repository;
    this.#config = config;
    this.#findings = findings;
  }

  config(): Located | undefined {
    if (isNotRead(this.#config)) {
      const message = 'is a program, and nothing is executed: name a config in YAML or JSON';
      this.#findings.problems.error(startOf(this.#config), message);
      return undefined;
    }
    const read = this.#repository.read(this.#config, FILE_MAX);
    if ('text' in read) return this.#document(this.#config, read.text);
    this.#findings.problems.error(startOf(this.#config), `the file ${read.why}`);
    return undefined;
  }

  /** What a part names, by `file://` or without it. */
  text(place: Place, reference: string): NamedText | undefined {
    const { name, ...read } = this.#read(place.file, bare(reference));
    if ('text' in read) return { name, text: read.text };
    this.#findings.refuseFile(place, `${shownReference(reference)} ${read.why}`);
    return undefined;
  }

  document(place: Place, reference: string): Located | undefined {
    const named = this.text(place, reference);
    return named && this.#document(named.name, named.text);
  }

  /** Names of the files that a pattern means, as they may be named again. */
  names(place: Place, reference: string): string[] {
    if (!hasWildcard(reference)) return [reference];
    const folder = path.posix.dirname(this.#config);
    const files = filesOf(
      this.#repository.root,
      path.posix.normalize(path.posix.join(folder, bare(reference))),
    );
    const why = 'why' in files ? files.why : files.names.length === 0 ? 'names no file' : undefined;
    if (why !== undefined) this.#findings.refuseFile(place, `${shownReference(reference)} ${why}`);
    return 'why' in files ? [] : files.names.map((name) => path.posix.relative(folder, name));
  }

  /** The items of a list in files of its own, files that these name included. */
  list(place: Place, reference: string, chain: readonly string[] = []): Part[] {
    return this.names(place, reference).flatMap((one) => this.#listOf(place, one, chain));
  }

  #listOf(place: Place, reference: string, chain: readonly string[]): Part[] {
    const named = this.text(place, reference);
    if (named === undefined) return [];
    if (chain.includes(named.name) || chain.length >= CHAIN_MAX) {
      const why = chain.includes(named.name)
        ? 'names a file that names it again'
        : 'is named by too many files in a row';
      this.#findings.problems.error(place, `${shownReference(reference)} ${why}: correct one of them`);
      return [];
    }
    return this.#itemsOf(named).flatMap((part) => {
      const { value } = part;
      if (!isFileName(value) || isNotRead(value)) return [part];
      return this.list(part.document.at(part.path), value, [...chain, named.name]);
    });
  }

  #itemsOf({ name, text }: NamedText): Part[] {
    if (name.endsWith('.csv')) return readCsvTests(name, text, this.#findings).map(documentPart);
    if (name.endsWith('.jsonl'))
      return [...readJsonLines(name, text, this.#findings.problems)].map(documentPart);
    const document = this.#document(name, text);
    if (document === undefined) return [];
    const { value } = document;
    if (!Array.isArray(value)) return [documentPart(document)];
    return value.map((item: unknown, index) => ({ document, path: [index], value: item }));
  }

  /** JSON is YAML, and has places when it is read as that. */
  #document(name: string, text: string): Located | undefined {
    const document = readYaml(name, text, this.#findings.problems);
    return document && withoutRefs(document, this.#findings.problems);
  }

  /** From the folder of the config, else from that of the file that names it. */
  #read(from: string, reference: string): ReadText & { readonly name: string } {
    const first = this.#readFrom(this.#config, reference);
    return 'why' in first && first.why.startsWith('does not exist') ? this.#readFrom(from, reference) : first;
  }

  #readFrom(from: string, reference: string): ReadText & { readonly name: string } {
    const place = `${path.posix.dirname(from)}\0${reference}`;
    const known = this.#known.get(place) as (ReadText & { readonly name: string }) | undefined;
    if (known !== undefined) return known;
    let read = this.#repository.readNamed(from, reference, FILE_MAX, OPEN_FOLDERS);
    if ('text' in read) this.#left -= read.text.length;
    if (this.#left < 0)
      read = { name: read.name, why: 'is one file too many: all that are named have at most 64 MB' };
    this.#known.set(place, read);
    return read;
  }
}

/** A name may hold a key, as an address does. */
const shownReference = (reference: string): string =>
  looksLikeKey(reference) ? 'a file whose name looks like a key' : reference.slice(0, 200);

const bare = (reference: string): string =>
  reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : reference;

const documentPart = (document: Located): Part => ({ document, path: [], value: document.value });
