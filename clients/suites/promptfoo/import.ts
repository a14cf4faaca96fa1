import type { Repository } from '../files/repository.ts';
import type { Problems } from '../read/problems.ts';
import { mapped } from './assertion.ts';
import { ALWAYS_PASSES, type CaseEntry, caseOf, type OneTest, whyNoCase } from './cases.ts';
import { looksLikeKey, Names, nameOf, slugOf } from './keys.ts';
import type { Judge } from './map/types.ts';
import { assertionsOf, type FoundAssertion } from './read/assertions.ts';
import { readConfig } from './read/config.ts';
import { Findings } from './read/findings.ts';
import type { Merged } from './read/merge.ts';
import { Sources } from './read/sources.ts';
import { type Fields, placeOf, textOf } from './read/values.ts';
import { setsOf } from './read/variables.ts';
import { type ImportReport, Tally } from './report.ts';
import { type ScorerEntry, Scorers } from './scorers.ts';
import { whyTooLarge } from './size.ts';

export interface Imported {
  readonly suite: { readonly slug: string; readonly name: string | undefined };
  readonly scorers: readonly ScorerEntry[];
  readonly cases: readonly CaseEntry[];
  readonly outputs: readonly ImportedOutput[];
  readonly report: ImportReport;
}

interface ImportedOutput {
  readonly case: readonly string[];
  readonly output: string;
}

export interface ImportOptions {
  /** From the root of the repository. */
  readonly config: string;
  readonly slug: string;
  readonly judge: Judge | undefined;
}

/** Tests of promptfoo as a suite. Nothing is executed. Undefined where something cannot be read: `problems` say what. */
export async function importPromptfoo(
  repository: Repository,
  { config: file, slug, judge }: ImportOptions,
  problems: Problems,
): Promise<Imported | undefined> {
  const findings = new Findings(problems);
  const sources = new Sources(repository, file, findings);
  const config = readConfig(sources, findings);
  if (config === undefined) return undefined;
  const { hasTransformingProvider } = config;
  const importing = new Importing({ sources, findings, file, slug, judge });
  for (const test of config.tests) {
    await importing.add(hasTransformingProvider ? { ...test, hasTransformingProvider } : test);
    if (problems.hasErrors) break;
  }
  const name = config.description === undefined ? undefined : nameOf(config.description) || undefined;
  const imported = importing.imported({ slug, name });
  if (imported.cases.length === 0) {
    for (const { place, message } of findings.unreadableFiles) problems.error(place, message);
  }
  return problems.hasErrors ? undefined : imported;
}

interface Given {
  readonly sources: Sources;
  readonly findings: Findings;
  readonly file: string;
  readonly slug: string;
  readonly judge: Judge | undefined;
}

type Made = { readonly entry: CaseEntry; readonly differences: readonly string[] } | { readonly why: string };

const TYPE_SHOWN_MAX = 60;

class Importing {
  readonly #given: Given;
  readonly #tally = new Tally();
  readonly #scorers: Scorers;
  readonly #testKeys = new Names();
  readonly #cases: CaseEntry[] = [];
  readonly #outputs: ImportedOutput[] = [];
  #tests = 0;
  readonly #size = { cases: 0, bytes: 0, inputBytes: 0 };

  constructor(given: Given) {
    this.#given = given;
    this.#scorers = new Scorers(given.slug);
  }

  async add(test: Merged): Promise<void> {
    const { sources, findings } = this.#given;
    const assertions = assertionsOf(test, sources, findings);
    for (const vars of setsOf(test, { sources, findings })) {
      this.#tests++;
      const key = this.#testKeys.unique(slugOf(test.description ?? '', 60) || `test-${this.#tests}`);
      const input = this.#inputOf(test, vars);
      this.#size.inputBytes += Buffer.byteLength(JSON.stringify(input));
      const one = { test, vars, key, input };
      if (this.#refuseSize(test)) return;
      const keys: string[] = [];
      for (const [index, found] of assertions.entries()) {
        keys.push(...(await this.#addAssertion(found, one, index + 1)));
      }
      this.#addOutput(test, keys);
    }
    this.#refuseSize(test);
  }

  imported(suite: Imported['suite']): Imported {
    const { file, findings } = this.#given;
    for (const { why, ...counted } of findings.lost) this.#tally.notMapped(counted, why);
    return {
      suite,
      scorers: this.#scorers.all(),
      cases: this.#cases,
      outputs: this.#outputs,
      report: this.#tally.report(file, findings.unread, findings.notes),
    };
  }

  /** The keys of active cases that it makes: one or none. */
  async #addAssertion(found: FoundAssertion, one: OneTest, number: number): Promise<string[]> {
    const type = textOf(found.fields.value('type'))?.slice(0, TYPE_SHOWN_MAX) ?? '';
    const counted = { place: placeOf(found.part), type };
    const made = await this.#made(found, one, number);
    if ('why' in made) {
      this.#tally.notMapped(counted, made.why);
      return [];
    }
    const { entry, differences } = made;
    const isIdle = entry.is_active === false;
    this.#tally.mapped(counted, isIdle ? [...differences, ALWAYS_PASSES] : differences);
    this.#size.cases++;
    this.#size.bytes += Buffer.byteLength(JSON.stringify(entry));
    this.#cases.push(entry);
    return isIdle ? [] : [entry.key];
  }

  async #made(assertion: FoundAssertion, one: OneTest, number: number): Promise<Made> {
    if (assertion.why !== undefined) return { why: assertion.why };
    const { sources, judge } = this.#given;
    const found = mapped(assertion, { vars: one.vars, test: one.test, sources, judge });
    if ('why' in found) return found;
    const scorer = await this.#scorers.entryOf(found.scorer);
    if ('why' in scorer) return scorer;
    const entry = caseOf(assertion.fields, one, { number, found, scorer });
    const refused = whyNoCase(entry);
    return refused === undefined ? { entry, differences: found.differences ?? [] } : { why: refused };
  }

  /** The variables; none whose value looks like a key. */
  #inputOf({ part }: Merged, vars: Fields): Fields {
    const kept = Object.entries(vars).filter(([name, value]) => {
      const isKey = looksLikeKey(value);
      if (isKey)
        this.#given.findings.note(placeOf(part), `the variable "${name}" is left out: it looks like a key`);
      return !isKey;
    });
    return Object.fromEntries(kept);
  }

  #addOutput({ part, providerOutput }: Merged, keys: readonly string[]): void {
    if (providerOutput === undefined || keys.length === 0) return;
    const output = typeof providerOutput === 'string' ? providerOutput : JSON.stringify(providerOutput);
    if (looksLikeKey(output))
      this.#given.findings.note(placeOf(part), 'its providerOutput is left out: it looks like a key');
    else this.#outputs.push({ case: keys, output });
  }

  #refuseSize({ part }: Merged): boolean {
    const why = whyTooLarge({ ...this.#size, assertions: this.#tally.count });
    if (why !== undefined)
      this.#given.findings.problems.error(placeOf(part), `the config ${why} from here on: split it`);
    return why !== undefined;
  }
}
