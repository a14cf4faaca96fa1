import { isSameJson } from '../read/sameJson.ts';
import type { CaseFields } from '../resolve/cases.ts';
import type { ScorerFields } from '../resolve/scorers.ts';
import { CASE_DEFAULTS, SCORER_DEFAULTS, SUITE_DEFAULTS } from '../resolve/sentDefinition.ts';
import type { Intended, IntendedScorer } from './intended.ts';

/** What stands in a file, before what it names is read. */
export type Raw = Readonly<Record<string, unknown>>;

/** A value that a field of the file has to have: as it stands there next. `before`: as it stands there now. */
export type PlaceValue = (path: readonly string[], value: unknown, before: unknown) => unknown;

const CASE_FIELDS = [
  'name',
  'scorer',
  'input',
  'expected',
  'examples',
  'description',
  'threshold',
  'weight',
  'is_active',
  'tags',
  'must_pass',
  'advisory',
  'sample_count',
  'sample_pass_rate',
];
const SCORER_FIELDS = ['name', 'type', 'dual_sided', 'precision_threshold', 'recall_threshold'];
const SUITE_FIELDS = [
  'name',
  'description',
  'pass_threshold',
  'gates',
  'keep_outputs',
  'show_expected',
  'show_inputs',
  'show_results',
];

interface Change {
  /** As the file has it. */
  readonly raw: Raw;
  /** What that means now. Undefined where there is nothing. */
  readonly now: Raw | undefined;
  readonly intended: Raw;
  /** The value where the file says nothing. */
  readonly silent: Raw;
  readonly place: PlaceValue;
}

/** The file's fields with those changed that mean something else; the same object where none does. */
function changed(names: readonly string[], { raw, now, intended, silent, place }: Change): Raw {
  const next = new Map(Object.entries(raw));
  let isSame = true;
  for (const name of names) {
    if (now !== undefined && isSameJson(now[name], intended[name])) continue;
    if (Object.hasOwn(silent, name) && isSameJson(silent[name], intended[name])) {
      isSame = !next.delete(name) && isSame;
      continue;
    }
    isSame = false;
    next.set(name, place([name], intended[name], raw[name]));
  }
  return isSame ? raw : Object.fromEntries(next);
}

export const nextSuite = (raw: Raw, now: Raw | undefined, intended: Intended): Raw =>
  changed(SUITE_FIELDS, {
    raw,
    now,
    intended: intended.fields,
    silent: { ...SUITE_DEFAULTS, name: intended.key },
    place: (_, value) => value,
  });

/** `defaults`: those of the file. */
export const nextCase = (
  raw: Raw,
  now: CaseFields | undefined,
  { intended: { key, fields }, defaults, place }: { intended: Intended; defaults: Raw; place: PlaceValue },
): Raw =>
  changed(CASE_FIELDS, {
    raw,
    now,
    intended: fields,
    place,
    silent: { ...CASE_DEFAULTS, name: key, ...defaults },
  });

export function nextScorer(
  raw: Raw,
  now: ScorerFields | undefined,
  { intended, place }: { intended: IntendedScorer; place: PlaceValue },
): Raw {
  const next = changed(SCORER_FIELDS, {
    raw,
    now,
    intended: intended.fields,
    silent: { ...SCORER_DEFAULTS, name: intended.key },
    place: (_, value) => value,
  });
  const before = (raw.config ?? {}) as Raw;
  const config = nextConfig(before, now?.config, { intended, place });
  return config === before && raw.config !== undefined ? next : { ...next, config };
}

function nextConfig(
  raw: Raw,
  now: Raw | undefined,
  { intended: { config, completeConfig }, place }: { intended: IntendedScorer; place: PlaceValue },
): Raw {
  const isKept = (name: string): boolean =>
    Object.hasOwn(raw, name) &&
    Object.hasOwn(completeConfig, name) &&
    isSameJson(now?.[name], completeConfig[name]);
  const names = new Set([...Object.keys(raw), ...Object.keys(config)]);
  const named = [...names].filter((name) => isKept(name) || Object.hasOwn(config, name));
  const isSame = named.every(isKept) && named.length === Object.keys(raw).length;
  if (isSame) return raw;
  return Object.fromEntries(
    named.map((name) => [name, isKept(name) ? raw[name] : place(['config', name], config[name], raw[name])]),
  );
}
