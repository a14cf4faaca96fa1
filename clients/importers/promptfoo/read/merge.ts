import type { Part } from '../../../files/read/parts.ts';
import type { Findings, Opened } from './findings.ts';
import { OPTIONS, type OptionField, TEST, type TestField } from './places.ts';
import { changesOutput } from './providers.ts';
import { wordsOf } from './values.ts';

/** A test, the set of a scenario, or the defaults of all tests. */
export interface TestPart {
  readonly part: Part;
  readonly fields: Opened<TestField>;
  readonly options: Opened<OptionField>;
}

export function openTest(part: Part, findings: Findings): TestPart {
  const fields = findings.open(part, TEST);
  findings.searchVariables(fields.part('vars'));
  return { part, fields, options: findings.open(fields.part('options'), OPTIONS) };
}

/** A test with what its scenario and the config's defaults add. */
export interface Merged {
  /** Where the test itself stands. */
  readonly part: Part;
  readonly description: string | undefined;
  /** Parts whose `vars` are merged, the later before the earlier ones. */
  readonly vars: readonly Part[];
  /** Lists of assertions, those of the defaults first. */
  readonly lists: readonly Part[];
  readonly options: Readonly<Record<OptionField, unknown>>;
  readonly threshold: unknown;
  readonly assertScoringFunction: unknown;
  readonly providerOutput: unknown;
  /** Whether a provider of its own transforms what it answers. */
  readonly hasTransformingProvider: boolean;
  /** Whether it names a provider of its own. */
  readonly hasOwnProvider: boolean;
}

interface Origins {
  readonly defaults: TestPart | undefined;
  /** The test, behind the set of a scenario where it has one. */
  readonly parts: readonly [TestPart, ...TestPart[]];
}

export function mergedTest({ defaults, parts }: Origins): Merged {
  const all = defaults === undefined ? parts : [defaults, ...parts];
  const mergedField = (name: TestField): unknown =>
    all.map(({ fields }) => fields.value(name)).findLast((value) => value !== undefined && value !== null);
  const optionOf = (ones: readonly TestPart[], name: OptionField): unknown =>
    ones.map(({ options }) => options.value(name)).findLast((value) => value !== undefined);
  const options = Object.fromEntries(OPTIONS.read.map((name) => [name, optionOf(all, name)]));
  // Those of a scenario are merged with the defaults before this is looked up, and those of a test behind it.
  const isAlone = optionOf(parts.length > 1 ? all : parts, 'disableDefaultAsserts') === true;
  return {
    part: parts.at(-1)?.part ?? parts[0].part,
    description: wordsOf(mergedField('description')),
    vars: all.map(({ fields }) => fields.part('vars')),
    lists: (isAlone ? parts : all).map(({ fields }) => fields.part('assert')),
    options: options as Merged['options'],
    threshold: mergedField('threshold'),
    assertScoringFunction: mergedField('assertScoringFunction'),
    providerOutput: mergedField('providerOutput'),
    hasTransformingProvider: changesOutput(mergedField('provider')),
    hasOwnProvider: mergedField('provider') !== undefined,
  };
}
