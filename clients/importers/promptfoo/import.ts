import type { Repository } from '../../files/disk/repository.ts';
import type { Problems } from '../../files/read/problems.ts';
import { Collector } from '../imports/collector.ts';
import type { Imported } from '../imports/imported.ts';
import { ContentNames, hashOf, keyOf, looksLikeKey, Names, nameOf, slugOf } from '../imports/keys.ts';
import type { Judge } from '../imports/types.ts';
import { mapped } from './assertion.ts';
import { caseOf, type OneTest } from './cases.ts';
import { assertionsOf, type FoundAssertion } from './read/assertions.ts';
import { readConfig } from './read/config.ts';
import { Findings } from './read/findings.ts';
import type { Merged } from './read/merge.ts';
import { Sources } from './read/sources.ts';
import type { Tools } from './read/tools.ts';
import { type Fields, placeOf, textOf } from './read/values.ts';
import { setsOf } from './read/variables.ts';

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
  const { hasTransformingProvider, tools } = config;
  const importing = new Importing({ sources, findings, file, slug, judge, tools });
  await importing.add(
    config.tests.map((test) => (hasTransformingProvider ? { ...test, hasTransformingProvider } : test)),
  );
  const name = config.description === undefined ? undefined : nameOf(config.description) || undefined;
  const imported = importing.imported(name);
  for (const { place, message } of findings.unreadable) problems.error(place, message);
  return problems.hasErrors ? undefined : imported;
}

interface Given {
  readonly sources: Sources;
  readonly findings: Findings;
  readonly file: string;
  readonly slug: string;
  readonly judge: Judge | undefined;
  readonly tools: Tools;
}

/** A test with one set of its variables, and what its key begins with. */
interface Planned extends Pick<OneTest, 'test' | 'vars' | 'input'> {
  readonly assertions: readonly FoundAssertion[];
  readonly base: string;
}

/** As many as the assertions of a config. */
const TESTS_MAX = 100_000;
const TYPE_SHOWN_MAX = 60;
const KEY_LENGTH_MAX = 60;

class Importing {
  readonly #given: Given;
  readonly #collector: Collector;
  readonly #contents = new ContentNames();
  readonly #testKeys = new Names();
  readonly #caseKeys = new Names();
  readonly #planned: Planned[] = [];

  constructor(given: Given) {
    this.#given = given;
    this.#collector = new Collector(given.slug);
  }

  /** Looks at the variables of all tests first, since keys depend on them. */
  async add(tests: readonly Merged[]): Promise<void> {
    for (const test of tests) {
      this.#plan(test);
      if (this.#given.findings.problems.hasErrors) return;
    }
    await this.#make();
  }

  #plan(test: Merged): void {
    const { sources, findings } = this.#given;
    const assertions = assertionsOf(test, sources, findings);
    for (const vars of setsOf(test, { sources, findings })) {
      const input = this.#inputOf(test, vars);
      if (this.#refuseSize(test, input)) return;
      const planned = { test, assertions, vars, input, base: baseOf(test, input) };
      this.#planned.push(planned);
      this.#contents.add(planned.base, input);
    }
  }

  async #make(): Promise<void> {
    const { findings } = this.#given;
    for (const { assertions, base, ...planned } of this.#planned) {
      const { test, input } = planned;
      const key = this.#testKeys.unique(this.#contents.of(base, input));
      const oneTest = { ...planned, key, name: namedBy(test, input) ?? key };
      const keys: string[] = [];
      for (const assertion of assertions) {
        const caseKey = await this.#addAssertion(assertion, oneTest);
        if (caseKey !== undefined) keys.push(caseKey);
      }
      if (this.#refuseSize(test)) return;
      this.#collector.ask(keys, input);
      if (this.#collector.answer(keys, test.providerOutput) === false)
        findings.note(placeOf(test.part), 'its providerOutput is left out: it looks like a key');
    }
  }

  imported(name: string | undefined): Imported {
    const { file, findings } = this.#given;
    for (const { why, ...counted } of findings.lost) this.#collector.refuse(counted, why);
    const { unread, notes } = findings;
    return this.#collector.imported(name, { source: 'promptfoo', config: file, unread, notes });
  }

  /** The key of the active case that it makes. */
  async #addAssertion(assertion: FoundAssertion, oneTest: OneTest): Promise<string | undefined> {
    const type = textOf(assertion.fields.value('type'))?.slice(0, TYPE_SHOWN_MAX) ?? '';
    const counted = { place: placeOf(assertion.part), type };
    if (assertion.why !== undefined) return this.#collector.refuse(counted, assertion.why);
    const mapping = mapped(assertion, { vars: oneTest.vars, test: oneTest.test, ...this.#given });
    if ('why' in mapping) return this.#collector.refuse(counted, mapping.why);
    return this.#collector.add(counted, mapping, (scorer) => {
      const key = this.#caseKeys.unique(`${oneTest.key}-${type.replace(':', '-')}`);
      return caseOf(assertion.fields, oneTest, { key, found: mapping, scorer });
    });
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

  #refuseSize({ part }: Merged, input?: Fields): boolean {
    const isMany = this.#planned.length >= TESTS_MAX && input !== undefined;
    const why = isMany ? `makes more than ${TESTS_MAX} tests` : this.#collector.whyTooLarge(input);
    if (why !== undefined)
      this.#given.findings.problems.error(placeOf(part), `the config ${why} from here on: split it`);
    return why !== undefined;
  }
}

const NAME_SHOWN_MAX = 120;

const firstText = (input: Fields): unknown =>
  Object.values(input).find((value) => textOf(value) !== undefined);

/** Its description, else the first words of its first variable that is a text. */
function baseOf({ description }: Merged, input: Fields): string {
  const first = firstText(input);
  const words =
    slugOf(description ?? '', KEY_LENGTH_MAX) || (first === undefined ? '' : keyOf(String(first)));
  if (words !== '') return words;
  return Object.keys(input).length === 0 ? 'test' : `test-${hashOf(JSON.stringify(input))}`;
}

const namedBy = ({ description }: Merged, input: Fields): string | undefined => {
  const name = nameOf(description ?? textOf(firstText(input)) ?? '').slice(0, NAME_SHOWN_MAX);
  return name === '' ? undefined : name;
};
