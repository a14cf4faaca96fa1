import type { Part } from '../../read/parts.ts';
import { type Fields, fieldOf, recordOf, wordsOf } from './values.ts';

/** A test with what its scenario and the config's defaults add. */
export interface Merged {
  /** Where the test itself stands. */
  readonly part: Part;
  readonly description: string | undefined;
  /** Parts whose `vars` are merged, the later before the earlier ones. */
  readonly vars: readonly Part[];
  /** Lists of assertions, those of the defaults first. */
  readonly lists: readonly Part[];
  readonly options: Fields;
  readonly threshold: unknown;
  readonly assertScoringFunction: unknown;
  readonly providerOutput: unknown;
}

/** `parts`: the test, behind the set of a scenario where it has one. */
export function mergedTest(defaults: Part | undefined, parts: readonly Part[]): Merged {
  const all = defaults === undefined ? parts : [defaults, ...parts];
  const last = (name: string): unknown =>
    all.findLast(({ value }) => recordOf(value)[name] !== undefined && recordOf(value)[name] !== null)?.value;
  const own = (name: string): unknown => recordOf(last(name))[name];
  const options = Object.assign({}, ...all.map(({ value }) => recordOf(recordOf(value).options))) as Fields;
  const [part = all[0]] = parts.slice(-1);
  if (part === undefined) throw new Error('a test has a part of its own');
  const isAlone = options.disableDefaultAsserts === true;
  return {
    part,
    description: wordsOf(own('description')),
    vars: all.map((one) => fieldOf(one, 'vars')),
    lists: (isAlone ? parts : all).map((one) => fieldOf(one, 'assert')),
    options,
    threshold: own('threshold'),
    assertScoringFunction: own('assertScoringFunction'),
    providerOutput: own('providerOutput'),
  };
}
