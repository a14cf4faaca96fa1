import type { Part } from '../../../files/read/parts.ts';
import type { Findings, Opened } from './findings.ts';
import type { Merged } from './merge.ts';
import { ASSERT_SET, ASSERTION, type AssertionField } from './places.ts';
import { isFileName, isNotRead, type Sources } from './sources.ts';
import { isRecord, itemsOf, placeOf } from './values.ts';

export interface FoundAssertion {
  readonly part: Part;
  readonly fields: Opened<AssertionField>;
  /** Why it cannot be mapped, whatever its type. */
  readonly why?: string;
}

const IN_SET = 'is in an assert-set with a threshold';
const INCLUDED = /\.(?:ya?ml|json)$/i;
const ASSERTIONS_MAX = 100_000;
const CHAIN_MAX = 16;

/** The assertions of a test, those of sets and of files among them. */
export function assertionsOf(test: Merged, sources: Sources, findings: Findings): FoundAssertion[] {
  const finder = new Finder(sources, findings);
  for (const list of test.lists) finder.addList(list, { why: whyNone(test), chain: [] });
  if (finder.found.length < ASSERTIONS_MAX) return finder.found;
  findings.problems.error(placeOf(test.part), `has ${ASSERTIONS_MAX} assertions or more: split the config`);
  return [];
}

interface Around {
  readonly why: string | undefined;
  /** The files that named each other to come here. */
  readonly chain: readonly string[];
}

class Finder {
  readonly found: FoundAssertion[] = [];
  readonly #sources: Sources;
  readonly #findings: Findings;

  constructor(sources: Sources, findings: Findings) {
    this.#sources = sources;
    this.#findings = findings;
  }

  addList(list: Part, around: Around): void {
    const { value } = list;
    const reference = includedBy(list);
    if (Array.isArray(value)) this.#add(itemsOf(list), around);
    else if (reference !== undefined) this.#addFile(list, reference, around);
    else if (value !== undefined && value !== null) {
      this.#findings.problems.error(placeOf(list), 'must be a list of assertions: write each behind a "-"');
    }
  }

  #add(parts: readonly Part[], around: Around): void {
    for (const part of parts) {
      if (this.found.length >= ASSERTIONS_MAX) return;
      const reference = includedBy(part);
      if (isRecord(part.value) && part.value.type === 'assert-set') this.#addSet(part, around);
      else if (reference !== undefined) this.#addFile(part, reference, around);
      else {
        const fields = this.#findings.open(part, ASSERTION);
        this.found.push({ part, fields, ...(around.why === undefined ? {} : { why: around.why }) });
      }
    }
  }

  #addSet(part: Part, { why, chain }: Around): void {
    const fields = this.#findings.open(part, ASSERT_SET);
    const threshold = fields.value('threshold');
    const isDecided = threshold !== undefined && threshold !== null;
    this.addList(fields.part('assert'), { why: why ?? (isDecided ? IN_SET : undefined), chain });
  }

  #addFile(part: Part, reference: string, { why, chain }: Around): void {
    if (chain.includes(reference) || chain.length >= CHAIN_MAX) {
      const message = `${reference.slice(0, 200)} names a file that names it again: correct one of them`;
      this.#findings.problems.error(placeOf(part), message);
    } else this.#add(this.#sources.list(placeOf(part), reference), { why, chain: [...chain, reference] });
  }
}

/** There the score of the whole test decides, whatever single assertions say. */
function whyNone({ threshold, assertScoringFunction }: Merged): string | undefined {
  if (threshold !== undefined) return 'its test has a threshold of its own';
  return assertScoringFunction === undefined ? undefined : 'its test has an assertScoringFunction';
}

/** `{value: file://more.yaml}` and nothing else, or the bare name. */
function includedBy({ value }: Part): string | undefined {
  const isBare = isRecord(value) && Object.keys(value).every((name) => name === 'value');
  const reference = isBare ? value.value : value;
  return isFileName(reference) && INCLUDED.test(reference) && !isNotRead(reference) ? reference : undefined;
}
