import path from 'node:path';
import type { Definition } from '../../../shared/contracts/definitions.ts';
import { CONFIG_FILE } from '../disk/repository.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { KeyedPart, LoadedFiles, SuiteParts } from '../resolve/loadFiles.ts';
import type { DefinedScorers } from '../resolve/scorers.ts';
import type { EditedYaml } from '../write/yamlEdit.ts';
import { caseLists } from './caseLists.ts';
import { nextCase, nextScorer, nextSuite, type Raw } from './entries.ts';
import { editedCaseFile, newSuiteText, SuiteFiles } from './files.ts';
import { type IntendedScorer, intendedCase, intendedScorer, intendedSuite } from './intended.ts';
import { ValuePlaces } from './places.ts';

/** What the files mean as they are. */
export interface Now {
  readonly suites: readonly SuiteDefinition[];
  readonly scorers: DefinedScorers;
}

export interface Written {
  readonly texts: ReadonlyMap<string, string>;
  readonly suites: readonly { readonly suite: string; readonly file: string; readonly isNew: boolean }[];
  readonly notes: readonly string[];
}

interface Options {
  readonly folder: string;
  readonly schema?: string | undefined;
}

/** Collects what the files have to say next. */
export class Changes {
  readonly #loaded: LoadedFiles;
  readonly #now: Now;
  readonly #options: Options;
  readonly #files: SuiteFiles;
  readonly #values: ValuePlaces;
  readonly #texts = new Map<string, string>();
  readonly #notes = new Set<string>();
  readonly #suites: Written['suites'][number][] = [];

  constructor(loaded: LoadedFiles, now: Now, options: Options) {
    this.#loaded = loaded;
    this.#now = now;
    this.#options = options;
    this.#files = new SuiteFiles(loaded);
    const taken = new Set([CONFIG_FILE, ...loaded.sharedFiles, ...loaded.suites.map(({ file }) => file)]);
    this.#values = new ValuePlaces({
      references: loaded.references,
      taken,
      write: (name, text) => void this.#texts.set(name, text),
      note: (text) => void this.#notes.add(text),
    });
  }

  add(definition: Definition): void {
    const parts = this.#loaded.suites.find(({ head }) => head?.suite === definition.suite);
    const now = this.#now.suites.find(({ suite }) => suite.slug === definition.suite);
    const scorers = Object.entries(definition.scorers).map(([key, given]) => intendedScorer(key, given));
    const unwritten = scorers.filter((scorer) => !this.#update(scorer, parts));
    if (parts === undefined || now === undefined) this.#create(definition, unwritten);
    else this.#change(definition, { parts, now, unwritten });
  }

  written(): Written {
    for (const [name, edited] of this.#files.edited()) this.#write(name, edited);
    return { texts: this.#texts, suites: this.#suites, notes: [...this.#notes] };
  }

  /** Changes a scorer wherever it is defined; whether the suite can use one of those places. */
  #update(intended: IntendedScorer, suite: SuiteParts | undefined): boolean {
    const { shared, suites } = this.#loaded;
    const places = [...shared, ...suites.flatMap(({ scorers }) => scorers)].filter(
      ({ key }) => key === intended.key,
    );
    for (const part of places) this.#updateAt(part, intended);
    return [...shared, ...(suite?.scorers ?? [])].some(({ key }) => key === intended.key);
  }

  #updateAt(part: KeyedPart, intended: IntendedScorer): void {
    const { file } = part.document.at(part.path);
    const draft = this.#files.draft(file);
    const scorers = draft.after.scorers as Raw;
    const now = this.#now.scorers.get(intended.key)?.fields;
    const before = part.value as Raw;
    const next = nextScorer(before, now, { intended, place: this.#values.for(part) });
    if (next !== before) draft.after = { ...draft.after, scorers: { ...scorers, [intended.key]: next } };
  }

  #change(
    definition: Definition,
    {
      parts,
      now,
      unwritten,
    }: { parts: SuiteParts; now: SuiteDefinition; unwritten: readonly IntendedScorer[] },
  ): void {
    const { references } = this.#loaded;
    const draft = this.#files.draft(parts.file);
    const intended = definition.cases.map(intendedCase);
    const lists = caseLists(parts, now, intended, { references, placeFor: (part) => this.#values.for(part) });
    for (const [file, cases] of lists.files) {
      const edited = editedCaseFile(file, cases);
      if (edited !== undefined) this.#write(file.name, edited);
    }
    for (const note of lists.notes) this.#notes.add(note);
    const head = nextSuite(draft.after, now.suite, intendedSuite(definition));
    const scorers = { ...(head.scorers as Raw | undefined), ...this.#fresh(unwritten) };
    draft.after = {
      ...head,
      ...(unwritten.length > 0 && { scorers }),
      ...((head.cases !== undefined || intended.length > 0) && { cases: lists.own }),
    };
    this.#suites.push({ suite: definition.suite, file: parts.file, isNew: false });
  }

  #write(name: string, { text, isKept }: EditedYaml): void {
    this.#texts.set(name, text);
    if (!isKept) this.#notes.add(`${name} is written anew, without its comments`);
  }

  #create(definition: Definition, unwritten: readonly IntendedScorer[]): void {
    const { suite } = definition;
    const file = path.posix.join(this.#options.folder, `${suite}.suite.yaml`);
    const place = this.#values.for(undefined);
    const cases = definition.cases.map((one) =>
      nextCase({ key: one.key }, undefined, { intended: intendedCase(one), defaults: {}, place }),
    );
    const head = nextSuite({ version: 1, suite }, undefined, intendedSuite(definition));
    const fields = { ...head, scorers: this.#fresh(unwritten), cases };
    this.#texts.set(file, newSuiteText(fields, this.#options.schema));
    this.#suites.push({ suite, file, isNew: true });
  }

  #fresh(scorers: readonly IntendedScorer[]): Raw {
    const place = this.#values.for(undefined);
    return Object.fromEntries(
      scorers.map((intended) => [intended.key, nextScorer({}, undefined, { intended, place })]),
    );
  }
}
