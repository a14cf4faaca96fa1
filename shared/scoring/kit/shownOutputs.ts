import { type Shown, show, showList } from './debugOutput.ts';
import { isJsonObject } from './json.ts';
import { cut } from './text.ts';

/** In place of what has been dropped by now. */
export const GONE = Symbol('gone');

/** What a field of `scorer_output` is by config or `expected`. */
interface ShownValue {
  readonly value: unknown;
  /** The entries of a list may differ one by one. Another `expected` is another text as a whole. */
  readonly byEntry: boolean;
}
export type ShownOutput = ReadonlyMap<string, ShownValue>;

type Config = Readonly<Record<string, unknown>>;

/** What results show of an assertion of `json_path`. */
interface ShownAssertion {
  readonly path: string;
  readonly op: string;
  readonly value?: unknown;
  readonly flags?: string | undefined;
}

/** Where a field can be read, too: in the config, or in the case's `expected`. Undefined where it can't. */
type Source = { ofConfig(config: Config): unknown } | { ofExpected(expected: unknown): unknown };

const setting = (name: string): Source => ({ ofConfig: (config) => config[name] });
const SHOWN_EXPECTED: Source = { ofExpected: (expected) => show(expected).value };

/**
 * Fields of `scorer_output` that can be read elsewhere, too, in their order, as they are where a case passes: results
 * store only what differs. It is a part of the rule by which stored results are joined. What a scorer does not name here
 * is stored. Readers of results carry no code of scorers, so it stands apart from them.
 */
const SOURCES: Readonly<Record<string, Readonly<Record<string, Source>>>> = {
  exact_match: {
    expected: SHOWN_EXPECTED,
    actual: SHOWN_EXPECTED,
    case_sensitive: setting('case_sensitive'),
  },
  contains: {
    mode: setting('mode'),
    matches: { ofConfig: (config) => shownMatches(foundInPass(config)).value },
    found_count: { ofConfig: (config) => foundInPass(config).filter(({ found }) => found).length },
    total: { ofConfig: (config) => foundInPass(config).length },
  },
  regex: {
    pattern: setting('pattern'),
    flags: setting('flags'),
    should_match: setting('should_match'),
    matched: setting('should_match'),
    match_groups: { ofConfig: () => [] },
  },
  json_path: {
    assertions: { ofConfig: (config) => shownAssertions(assertionsIn(config)).value },
    failed: { ofConfig: () => [] },
    held: { ofConfig: (config) => assertionsIn(config).length },
    total: { ofConfig: (config) => assertionsIn(config).length },
  },
  trajectory: { order: setting('order') },
  similarity: { metric: setting('metric') },
  metric: { field: setting('field'), max: setting('max') },
};

export interface Match {
  readonly value: string;
  readonly found: boolean;
}

export const shownMatches = (matches: readonly Match[]): Shown =>
  showList(matches, ({ value, found }, length) => ({ value: cut(value, length), found }));

function foundInPass({ values, mode }: Config): Match[] {
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  return texts.map((value) => ({ value, found: mode !== 'none' }));
}

/** They hold nothing of an output. */
export const shownAssertions = (assertions: readonly ShownAssertion[]): Shown =>
  showList(assertions, ({ path, op, value, flags }, length) => ({
    path: cut(path, length),
    op,
    ...(!show(value).truncated && { value }),
    ...(flags !== undefined && { flags }),
  }));

const isAssertion = (value: unknown): value is ShownAssertion =>
  isJsonObject(value) && typeof value.path === 'string';

const assertionsIn = ({ assertions }: Config): ShownAssertion[] =>
  Array.isArray(assertions) ? assertions.filter(isAssertion) : [];

interface ConfiguredScorer {
  readonly type: string;
  /** As it is stored, with its defaults; `GONE` where it has been dropped. */
  readonly config: unknown;
}

const NOTHING: ShownOutput = new Map();

/** What config and `expected` say of the `scorer_output` of a case that passes, in the order of its fields. */
export function shownOutputs({ type, config }: ConfiguredScorer): (expected: unknown) => ShownOutput {
  const sources = Object.entries(Object.hasOwn(SOURCES, type) ? (SOURCES[type] ?? {}) : {});
  if (sources.length === 0) return () => NOTHING;
  const ofConfig = sources.map(([, source]) =>
    'ofConfig' in source && isJsonObject(config) ? source.ofConfig(config) : GONE,
  );
  const shown = (expected: unknown): ShownOutput => {
    const ofExpected = new Map<Source, unknown>();
    return new Map(
      sources.map(([name, source], index): [string, ShownValue] => {
        if ('ofConfig' in source) return [name, { value: ofConfig[index], byEntry: true }];
        if (!ofExpected.has(source))
          ofExpected.set(source, expected === GONE ? GONE : source.ofExpected(expected));
        return [name, { value: ofExpected.get(source), byEntry: false }];
      }),
    );
  };
  if (sources.some(([, source]) => 'ofExpected' in source)) return shown;
  const always = shown(GONE);
  return () => always;
}
