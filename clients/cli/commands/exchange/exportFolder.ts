import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ownOf } from '../../../files/read/parts.ts';
import { safeJson } from '../../../gate/report/escape.ts';
import { Problem, systemReason } from '../../problem.ts';

const MANIFEST = 'manifest.json';
/** A line of what is exported, then one for each file that is whole, and for each part that could not be read. */
const UNFINISHED = 'unfinished.jsonl';

interface Done {
  readonly what: string;
  /** Lines of a .jsonl file; 1 of another one; null for what is left out. */
  readonly items: number | null;
  /** Why it is left out. */
  readonly why?: string | undefined;
}

export type Items = AsyncIterable<unknown> | Iterable<unknown>;

/**
 * A folder that an export writes file by file. A file gets its name when it is whole, and the manifest is written last.
 * A call that died is gone on with by the next one.
 */
export class ExportFolder {
  readonly path: string;
  readonly #done = new Map<string, Done>();
  /** Whether a call before this one began it. */
  readonly isResumed: boolean;

  /** `source`: what is exported, by which another call knows its own folder. */
  constructor(folder: string, source: Readonly<Record<string, string>>) {
    this.path = folder;
    mkdirSync(folder, { recursive: true });
    const begun = this.absolute(UNFINISHED);
    this.isResumed = existsSync(begun);
    const head = JSON.stringify(source);
    if (this.isResumed) this.#readBegun(readFileSync(begun, 'utf8'), head);
    else if (readdirSync(folder).length > 0) throw isTaken(folder);
    else appendFileSync(begun, `${head}\n`);
  }

  #readBegun(text: string, expected: string): void {
    const [head, ...lines] = text.split('\n');
    if (head !== expected) throw isTaken(this.path);
    // The last line is empty, or was not written to its end.
    for (const line of lines.slice(0, -1)) {
      const done = JSON.parse(line) as Done;
      this.#done.set(done.what, done);
    }
  }

  absolute(name: string): string {
    return path.join(this.path, ...name.split('/'));
  }

  has(name: string): boolean {
    return this.#done.get(name)?.items != null;
  }

  /** Names of files, with their numbers of items. */
  get items(): Readonly<Record<string, number>> {
    const done = [...this.#done.values()];
    return Object.fromEntries(done.flatMap(({ what, items }) => (items === null ? [] : [[what, items]])));
  }

  get leftOut(): readonly Pick<Done, 'what' | 'why'>[] {
    const done = [...this.#done.values()];
    return done.flatMap(({ what, items, why }) => (items === null ? [{ what, why }] : []));
  }

  /** One item a line. `before`: how many lines a call that died has left of it. */
  async writeLines(name: string, items: Items, before = 0): Promise<void> {
    let count = before;
    await this.#write(name, before > 0 ? 'a' : 'w', async (add) => {
      for await (const item of items) {
        add(`${safeJson(item)}\n`);
        count++;
      }
    });
    this.#record({ what: name, items: count });
  }

  async writeText(name: string, text: string): Promise<void> {
    await this.#write(name, 'w', async (add) => add(text));
    this.#record({ what: name, items: 1 });
  }

  /** A file, or what else could not be read. */
  leaveOut(what: string, why: string): void {
    rmSync(this.#part(what), { force: true });
    this.#record({ what, items: null, why });
  }

  /**
   * What a call that died has left of a file of lines. The last group of items with one value of `field` is taken off it,
   * since it may not be whole: `last` is its value.
   */
  async left(name: string, field: string): Promise<{ readonly lines: number; readonly last?: string }> {
    const file = this.#part(name);
    if (!existsSync(file)) return { lines: 0 };
    let [last, lines, bytes] = ['', 0, 0];
    let [read, offset] = [0, 0];
    for await (const line of linesOf(file)) {
      const value = valueIn(line, field);
      if (value === undefined) break;
      if (value !== last) [last, lines, bytes] = [value, read, offset];
      read++;
      offset += Buffer.byteLength(line) + 1;
    }
    truncateSync(file, bytes);
    return last === '' ? { lines: 0 } : { lines, last };
  }

  /** The ids of the items of a whole file. */
  async *idsIn(name: string): AsyncGenerator<string> {
    for await (const line of linesOf(this.absolute(name))) yield (JSON.parse(line) as { id: string }).id;
  }

  /** Writes the manifest: from now on the folder is whole. */
  async finish(manifest: object): Promise<void> {
    await this.#write(MANIFEST, 'w', async (add) => add(`${JSON.stringify(manifest, null, 2)}\n`));
    rmSync(this.absolute(UNFINISHED));
  }

  #part(name: string): string {
    return `${this.absolute(name)}.part`;
  }

  async #write(
    name: string,
    flag: 'a' | 'w',
    fill: (add: (text: string) => void) => Promise<void>,
  ): Promise<void> {
    const part = this.#part(name);
    mkdirSync(path.dirname(part), { recursive: true });
    const descriptor = openSync(part, flag);
    try {
      await fill((text) => namingFile(name, () => writeAll(descriptor, Buffer.from(text))));
      namingFile(name, () => fsyncSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
    renameSync(part, this.absolute(name));
  }

  #record(done: Done): void {
    this.#done.set(done.what, done);
    appendFileSync(this.absolute(UNFINISHED), `${JSON.stringify(done)}\n`);
  }
}

const isTaken = (folder: string): Problem =>
  new Problem(
    `${folder} is not empty, and holds no unfinished export of this organisation: nothing was written.`,
    'Name an empty folder by --out.',
  );

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

function namingFile(name: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const hint = 'Change that, then give the same command again: it goes on where it stopped.';
    throw new Problem(`${name} can't be written: ${systemReason(error)}.`, hint);
  }
}

const linesOf = (file: string) =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });

/** Undefined for a line that was not written to its end. */
function valueIn(line: string, field: string): string | undefined {
  try {
    return String(ownOf(JSON.parse(line), field));
  } catch {
    return undefined;
  }
}
