import { type Answer, content, cut, failure, hang, raw, verdict } from '../../support/providers.ts';

export interface Wrong {
  readonly code: string;
  /** Calls that a case costs at most. */
  readonly calls: number;
  readonly answer?: Answer;
  readonly provider?: string;
  readonly model?: string;
  readonly scale?: readonly unknown[];
  /** What `scorer_output` holds beside the code. */
  readonly said?: object;
}

const azure = (model?: string) => ({ provider: 'azure_openai', ...(model !== undefined && { model }) });

/** What goes wrong, by the name of the case that meets it. */
export const WRONGS: Record<string, Wrong> = {
  'no key': { code: 'BYOK_KEY_MISSING', calls: 0, provider: 'google' },
  'a rejected key': { code: 'BYOK_KEY_REJECTED', calls: 1, answer: failure(401) },
  'a forbidden key': {
    code: 'BYOK_KEY_REJECTED',
    calls: 1,
    answer: failure(403, { message: 'Not from this region.' }),
    said: { provider_message: 'Not from this region.' },
  },
  'a rate limit': {
    code: 'JUDGE_RATE_LIMITED',
    calls: 4,
    answer: failure(429, { headers: { 'retry-after': '0' } }),
  },
  'no quota': {
    code: 'JUDGE_NO_CREDIT',
    calls: 1,
    answer: failure(429, { code: 'insufficient_quota' }),
  },
  silence: { code: 'JUDGE_TIMEOUT', calls: 4, answer: hang() },
  'a rejected question': { code: 'JUDGE_REQUEST_REJECTED', calls: 1, answer: failure(400) },
  'a dead provider': { code: 'JUDGE_UNAVAILABLE', calls: 4, answer: failure(503) },
  'a cut stream': { code: 'JUDGE_UNAVAILABLE', calls: 4, answer: cut() },
  prose: {
    code: 'JUDGE_UNPARSABLE',
    calls: 2,
    answer: content('It is a good answer: 1.0'),
    said: { finish_reason: 'stop', answer: 'It is a good answer: 1.0' },
  },
  'a score of 7': { code: 'JUDGE_UNPARSABLE', calls: 2, answer: verdict({ score: 7 }) },
  'an empty object': { code: 'JUDGE_UNPARSABLE', calls: 2, answer: content('{}') },
  'two verdicts': {
    code: 'JUDGE_UNPARSABLE',
    calls: 2,
    answer: content('{"reasoning":"a","score":1}{"reasoning":"b","score":1}'),
  },
  'no JSON': { code: 'JUDGE_UNPARSABLE', calls: 2, answer: raw('<html>busy</html>', 'text/html') },
  'a refusal': { code: 'JUDGE_REFUSED', calls: 1, answer: content('I will not.', 'refusal') },
  'a content filter': { code: 'JUDGE_REFUSED', calls: 1, answer: content('', 'content_filter') },
  'an empty list of choices': {
    code: 'JUDGE_REFUSED',
    calls: 1,
    answer: raw('{"object":"chat.completion","model":"m","choices":[]}'),
    said: { answered_model: 'm', answer: '{"object":"chat.completion","model":"m","choices":[]}' },
  },
  'a limit of tokens': {
    code: 'JUDGE_TRUNCATED',
    calls: 2,
    answer: content('{"reasoning":"It', 'length'),
    said: { finish_reason: 'length', answer: '{"reasoning":"It' },
  },
  'an error within a 200': {
    code: 'JUDGE_REQUEST_REJECTED',
    calls: 2,
    answer: raw('{"error":{"message":"Upstream is gone"}}'),
    said: { provider_message: 'Upstream is gone', answer: '{"error":{"message":"Upstream is gone"}}' },
  },
  'a stream': {
    code: 'JUDGE_UNPARSABLE',
    calls: 1,
    answer: raw('data: {}\n\ndata: [DONE]\n\n', 'text/event-stream'),
    said: { answer: 'data: {}\n\ndata: [DONE]\n\n' },
  },
  'a context that is too long': {
    code: 'JUDGE_CONTEXT_TOO_LONG',
    calls: 1,
    answer: failure(400, { code: 'context_length_exceeded', message: 'Too long by 7.' }),
    said: { provider_message: 'Too long by 7.' },
  },
  'a level that is none': {
    code: 'JUDGE_UNPARSABLE',
    calls: 2,
    answer: verdict({ score: 0.75 }),
    scale: [0, 0.5, 1],
    said: { finish_reason: 'stop' },
  },
  'an unknown model': { code: 'MODEL_NOT_CONFIGURED', calls: 1, answer: failure(404) },
  'no model': { code: 'MODEL_NOT_CONFIGURED', calls: 0, ...azure() },
  'a forbidden endpoint': {
    code: 'ENDPOINT_NOT_ALLOWED',
    calls: 0,
    ...azure('https://judge.example.com|dep'),
  },
  'an address inside': { code: 'ENDPOINT_NOT_ALLOWED', calls: 0, ...azure('http://127.0.0.1:9|dep') },
};
