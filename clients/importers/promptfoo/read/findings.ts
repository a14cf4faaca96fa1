import { nearest } from '../../../files/check/unknownFields.ts';
import type { Part } from '../../../files/read/parts.ts';
import type { Place, Problems } from '../../../files/read/problems.ts';
import { looksLikeKey } from '../../imports/keys.ts';
import type { Note } from '../../imports/types.ts';
import { isAssertionName, isReferred, looksLikeAssertion, lostIn, unusedIn } from './lost.ts';
import type { PlaceKind } from './places.ts';
import { fieldOf, isRecord, placeOf, recordOf, textOf } from './values.ts';

/** An assertion that stands where nothing reads it. */
interface LostAssertion {
  readonly place: Place;
  readonly type: string;
  readonly why: string;
}

/** The fields of a part that its reader takes. All others have been reported. */
export interface Opened<Field extends string> {
  value(name: Field): unknown;
  part(name: Field): Part;
}

const NAME_SHOWN_MAX = 60;
const LEADS_NOWHERE = 'a $ref that leads out of its file, or nowhere, is not followed: write what it means';

/** What was found in a config beside its assertions. Each thing is kept once, however often its place is read. */
export class Findings {
  readonly problems: Problems;
  readonly #notes = new Map<string, Note>();
  readonly #unread = new Map<string, Note>();
  readonly #unreadable = new Map<string, Note>();
  readonly #lost = new Map<string, LostAssertion>();
  /** Defaults are opened for each test, and reported once. */
  readonly #opened = new WeakMap<object, PlaceKind>();

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** What differs, and is no assertion. */
  note(place: Place, message: string): void {
    keep(this.#notes, { place, message });
  }

  /** What may hold assertions, and is not read. */
  leaveUnread(place: Place, message: string): void {
    keep(this.#unread, { place, message });
  }

  /** A file that cannot be read, with whatever it holds: an error. */
  refuseFile(place: Place, message: string): void {
    keep(this.#unreadable, { place, message });
  }

  lose(part: Part, why: string): void {
    const type = isRecord(part.value) ? textOf(part.value.type)?.slice(0, NAME_SHOWN_MAX) : undefined;
    const place = placeOf(part);
    this.#lost.set(`${idOf(place)}${part.path.map(String).join('\0')}`, { place, type: type ?? '', why });
  }

  /** The only way to the fields of a part: what its place does not have is reported. */
  open<Field extends string>(part: Part, kind: PlaceKind<Field>): Opened<Field> {
    if (!isRecord(part.value)) this.#seeNoMap(part, kind);
    else if (this.#opened.get(part.value) !== kind) {
      this.#opened.set(part.value, kind);
      if (!isOfAssertions(kind) && looksLikeAssertion(part.value))
        this.lose(part, 'is where a test or a setting is expected');
      for (const name of Object.keys(part.value)) this.#see(fieldOf(part, name), name, kind);
    }
    const fields = recordOf(part.value);
    return { value: (name) => fields[name], part: (name) => fieldOf(part, name) };
  }

  /** Of a part whose fields say nothing of what passes: what looks like an assertion all the same. */
  search(part: Part, name: string): void {
    for (const lost of lostIn(part, isAssertionName(name)))
      this.lose(lost, `is below \`${shown(name)}\`, which has no assertions`);
  }

  /** In variables everything is data, but a name of assertions is a mistake. */
  searchVariables(vars: Part): void {
    if (!isRecord(vars.value)) return;
    for (const name of Object.keys(vars.value)) {
      for (const lost of lostIn(fieldOf(vars, name), isAssertionName(name))) {
        const isNamed = lost.path.slice(vars.path.length).some((step) => isAssertionName(String(step)));
        if (isNamed) this.lose(lost, 'is in a variable: write `assert` beside `vars`');
        else this.note(placeOf(lost), 'is in a variable, and is data there, too');
      }
    }
  }

  get lost(): readonly LostAssertion[] {
    return [...this.#lost.values()];
  }

  get notes(): readonly Note[] {
    return [...this.#notes.values()];
  }

  get unread(): readonly Note[] {
    return [...this.#unread.values()];
  }

  get unreadable(): readonly Note[] {
    return [...this.#unreadable.values()];
  }

  /** An assertion that is no map is counted as one without a type. */
  #seeNoMap(part: Part, kind: PlaceKind): void {
    if (isEmpty(part.value) || isOfAssertions(kind)) return;
    this.leaveUnread(placeOf(part), 'is no map of fields');
    this.search(part, String(part.path.at(-1) ?? 'the file'));
  }

  #see(field: Part, name: string, { read, free = [], reported = [], unread = [] }: PlaceKind): void {
    if (field.value === undefined || field.value === null) return;
    if (reported.includes(name)) this.note(nameOf(field), `\`${name}\` is not imported`);
    if (isEmpty(field.value)) return;
    if (unread.includes(name))
      this.leaveUnread(nameOf(field), `\`${name}\` is not imported, and gives no tests here`);
    if (free.includes(name) || reported.includes(name)) this.search(field, name);
    else if (!read.includes(name) && !unread.includes(name))
      this.#unknown(field, name, { read, free, reported });
  }

  /** One that other places refer to, as templates of assertions, is read there. */
  #unknown(field: Part, name: string, { read, free = [], reported = [] }: PlaceKind): void {
    if (isReferred(field)) return;
    const isLibrary = this.#searchUnused(field, name);
    if (isLibrary) return;
    const hint = hintFor(name, [...read, ...free, ...reported]);
    const why = name === '$ref' ? LEADS_NOWHERE : `\`${shown(name)}\` is not a field here${hint}`;
    this.leaveUnread(nameOf(field), why);
    for (const lost of lostIn(field, isAssertionName(name)))
      this.lose(lost, `is below \`${shown(name)}\`, which is not a field there${hint}`);
  }

  /** Whether other places refer to parts of it. What they do not refer to is lost. */
  #searchUnused(part: Part, name: string): boolean {
    const unused = unusedIn(part);
    if (unused.length === 1 && unused[0] === part) return false;
    for (const unusedPart of unused) {
      for (const lost of lostIn(unusedPart, isAssertionName(String(unusedPart.path.at(-1)))))
        this.lose(lost, `is below \`${shown(name)}\`, and nothing refers to it`);
    }
    return true;
  }
}

function hintFor(name: string, known: readonly string[]): string {
  const suggestion = nearest(name, known);
  if (suggestion !== undefined) return `: did you mean ${suggestion}?`;
  return isAssertionName(name) ? ': assertions belong in `assert` of a test, or of defaultTest' : '';
}

const isOfAssertions = ({ read }: PlaceKind): boolean => read.includes('type');

/** `extensions: []` says nothing. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const nameOf = ({ document, path }: Part): Place => document.atName(path);

const idOf = ({ file, line, column }: Place): string => `${file}\0${line}\0${column}\0`;

const keep = (notes: Map<string, Note>, note: Note): void => {
  const id = `${idOf(note.place)}${note.message}`;
  if (!notes.has(id)) notes.set(id, note);
};

/** A name may be a secret that stands in the wrong place. */
const shown = (name: string): string => (looksLikeKey(name) ? '…' : name.slice(0, NAME_SHOWN_MAX));
