import { hash } from 'node:crypto';
import { canonicalJson } from '../../../shared/scoring/kit/json.ts';
import type { Imported } from './imported.ts';
import type { Fields } from './types.ts';

/**
 * What an import wrote, so that another one knows what somebody changed since: digests of scorers and cases by their keys.
 * Those of cases are of what their scorers say, too, unless a scorer is somebody's own to complete.
 */
export interface Written {
  readonly scorers: ReadonlyMap<string, string>;
  readonly cases: ReadonlyMap<string, string>;
}

/** What an import writes of a case. Whatever else a case has is somebody's own. */
export const OWN: readonly string[] = [
  'name',
  'scorer',
  'input',
  'expected',
  'threshold',
  'weight',
  'is_active',
];

const DIGEST_LENGTH = 12;

const digestOf = (value: unknown): string => hash('sha256', canonicalJson(value)).slice(0, DIGEST_LENGTH);

export const scorerDigest = (entry: unknown): string => digestOf(entry);

/** `scorer` is what its key stands for. */
export function caseDigest(entry: Fields, scorer: unknown): string {
  const ownFields = OWN.flatMap((name) =>
    name !== 'scorer' && Object.hasOwn(entry, name) ? [[name, entry[name]]] : [],
  );
  return digestOf([ownFields, scorer ?? null]);
}

export function writtenBy({ scorers, cases, keepsScorer }: Imported): Written {
  const entries = new Map(scorers.map(({ key, ...entry }) => [key, entry]));
  const saying = (key: string) => (keepsScorer ? null : entries.get(key));
  return {
    scorers: new Map([...entries].map(([key, entry]) => [key, scorerDigest(entry)])),
    cases: new Map(cases.map((entry) => [entry.key, caseDigest(entry, saying(entry.scorer))])),
  };
}

const BEGIN = '<!-- Digests of what was written, by which another import finds what was changed since:';
const END = '-->';
const LINE = /^(scorer|case) ([a-z0-9_-]+) ([0-9a-f]{12})$/;

/** At the end of a report. Keys hold no more than slugs do. */
export const writtenText = ({ scorers, cases }: Written): string =>
  [
    '',
    BEGIN,
    ...[...scorers].map(([key, digest]) => `scorer ${key} ${digest}`),
    ...[...cases].map(([key, digest]) => `case ${key} ${digest}`),
    END,
    '',
  ].join('\n');

/** Of a report. Where it names nothing, all counts as changed. */
export function writtenIn(report: string): Written {
  const lines = (report.split(`\n${BEGIN}\n`)[1] ?? '').split('\n');
  const digests = lines.flatMap((line) => {
    const [, kind, key = '', digest = ''] = LINE.exec(line.trimEnd()) ?? [];
    return kind === undefined ? [] : [{ kind, key, digest }];
  });
  const digestsOf = (kind: string): Map<string, string> =>
    new Map(digests.filter((one) => one.kind === kind).map(({ key, digest }) => [key, digest]));
  return { scorers: digestsOf('scorer'), cases: digestsOf('case') };
}
