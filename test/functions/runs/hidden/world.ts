import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { type Api, type ApiAnswer, api } from '../../../support/api.ts';
import { ended } from '../../../support/stage.ts';
import { makeKey } from '../../apiKeys/organisation.ts';
import { type BaselineGate, makeBaselineGate } from '../../baselines/baselineGate.ts';

export const WORDS = ['one', 'two', 'three', 'four', 'five'];
const keyOf = (word: string): string => `says-${word}`;
/** It is in no figure but its own. */
const ADVISORY_KEY = keyOf('five');

export type Item = Readonly<Record<string, unknown>>;

/** What makes one case fail, in place of its items. */
export const FAILURES: Readonly<Record<string, (items: readonly Item[]) => readonly Item[]>> = {
  failed: (items) => items.map((item) => ({ ...item, output: 'no number' })),
  errored: (items) => items.map(({ case: name }) => ({ case: name, error: 'the model answered 429' })),
  missing: () => [],
  'failed in one of its samples': ([first = {}, ...others]) => [...others, { ...first, output: 'no number' }],
};

/** A right output for each sample of each case, but of one case. */
export function outputsWith(failure: keyof typeof FAILURES, place: number | undefined): readonly Item[] {
  return WORDS.flatMap((word, at) => {
    const items = [0, 1].map(() => ({ case: keyOf(word), output: `${word} it is` }));
    return at === place ? (FAILURES[failure]?.(items) ?? []) : items;
  });
}

export interface World extends BaselineGate {
  readonly owner: Api;
  /** A credential of scope `run`. */
  readonly job: Api;
  run(outputs: readonly Item[], fields?: Item): Promise<string>;
  patch(fields: Item): Promise<void>;
}

/** A suite of equal cases, each with two samples, that hides its results where `show_results` is false. */
export async function makeWorld(url: string, suiteFields: Item, caseFields: Item = {}): Promise<World> {
  const advisory = { owner: 'Ada', reason: 'the wording is new', expires_at: timestamp(Date.now() + DAY_MS) };
  const base = await makeBaselineGate(
    url,
    { name: 'Returns', show_inputs: true, ...suiteFields },
    {
      words: WORDS,
      fields: (at) => ({
        sample_count: 2,
        tags: ['eu'],
        ...(keyOf(WORDS[at] ?? '') === ADVISORY_KEY ? { advisory } : caseFields),
      }),
    },
  );
  const { client: owner, project, suite } = base.gate;
  const job = api(url, (await makeKey(owner, { name: 'CI', scope: 'run' })).key);
  return {
    ...base,
    owner,
    job,
    async run(outputs, fields) {
      const { status, body } = await job('POST', '/v1/run', { suite: suite.slug, outputs, ...fields });
      if (status >= 300) throw new Error(JSON.stringify(body));
      await ended(owner, body.id);
      return body.id;
    },
    async patch(fields) {
      const path = `/v1/projects/${project.slug}/suites/${suite.slug}`;
      const { status, body } = await owner('PATCH', path, fields);
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
  };
}

const VARYING: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>'],
  [/run_[0-9A-Za-z]+/g, '<run>'],
  [/\b[0-9a-f]{64}\b/g, '<digest>'],
  [/"[0-9a-f]{16}"/g, '<digest>'],
  [/(?<="sig":")[^"]+/g, '<signature>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/(?<="duration_ms":)\d+/g, '<ms>'],
];
/** Of the exchange, or with the length of what varies. */
const HEADERS_OF_EXCHANGE = [
  'date',
  'content-length',
  'set-cookie',
  'x-ratelimit-reset',
  'ratelimit',
  'etag',
];

const withoutVarying = (text: string): string =>
  VARYING.reduce((left, [pattern, name]) => left.replace(pattern, name), text);

/** All that a caller gets, without ids, times and digests. */
export function seen({ status, headers, body }: ApiAnswer): string {
  const shownHeaders = [...headers].filter(([name]) => !HEADERS_OF_EXCHANGE.includes(name));
  const payload = body?.dsseEnvelope && String(Buffer.from(body.dsseEnvelope.payload, 'base64'));
  const shown = payload ? { ...body, dsseEnvelope: { ...body.dsseEnvelope, payload } } : (body ?? null);
  return withoutVarying(JSON.stringify([status, shownHeaders, shown]));
}
