import type { JudgeErrorCode, ProviderSaid } from '../../../shared/domain/evaluation/judging/ports.ts';
import { type Answer, type ProviderName, raw } from '../../support/providers.ts';

interface Outcome {
  readonly code: JudgeErrorCode;
  readonly calls: number;
  readonly reason: RegExp;
  readonly said?: ProviderSaid;
}

interface WireAnswer extends Outcome {
  readonly what: string;
  readonly answer: Answer;
}

type Row = readonly [ProviderName, what: string, status: number, sent: unknown, Partial<Outcome>?];

/** Answers of which the same becomes, but for what a row says of its own. */
const allWith = (outcome: Outcome, rows: readonly Row[]): readonly (readonly [ProviderName, WireAnswer])[] =>
  rows.map(([provider, what, status, sent, own]) => {
    const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
    return [provider, { what, answer: raw(text, 'application/json', status), ...outcome, ...own }];
  });

const completion = (choices: unknown, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'judge-2026-01-01',
  choices,
  ...more,
});
const ended = (finish_reason: string, more: object = {}) =>
  completion([{ index: 0, finish_reason, ...more }]);
const message = (stop_reason: string, ...content: object[]) => ({
  type: 'message',
  model: 'c',
  role: 'assistant',
  stop_reason,
  content,
});
const GOOD = [{ index: 0, finish_reason: 'stop', message: { content: '{"reasoning":"a","score":1}' } }];

/** Errors in the forms of their providers; some say more than code, type and message. */
const openai = (code: string | null, message: string, more: object = {}) => ({
  error: { message, type: code, code, ...more },
});
const google = (code: number, message: string, status: string) => [{ error: { code, message, status } }];
/** As Google writes it where the quota of one id, or of several, is used up. */
const quota = (...quotaIds: readonly string[]) => {
  const violations = quotaIds.map((quotaId) => ({ quotaId, quotaMetric: 'generate_requests' }));
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0s' },
  ];
  const message =
    'Quota exceeded: You exceeded your current quota, please check your plan and billing details.';
  return [{ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } }];
};
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } });

const REFUSED = allWith({ code: 'JUDGE_REFUSED', calls: 1, reason: /refused to judge/ }, [
  [
    ...(['google', 'a filtered choice without a message', 200] as const),
    ended('content_filter: PROHIBITED_CONTENT'),
    {
      said: { finish_reason: 'content_filter: PROHIBITED_CONTENT', answered_model: 'judge-2026-01-01' },
    },
  ],
  ['google', 'a filtered choice whose message is null', 200, ended('SAFETY', { message: null })],
  ['google', 'an empty list of choices', 200, completion([])],
  ['google', 'no choices', 200, completion(undefined)],
  ['openai', 'choices that are null', 200, completion(null)],
  [
    'azure_openai',
    'a filtered prompt',
    400,
    openai('content_filter', 'The response was filtered', { status: 400 }),
  ],
  ['anthropic', 'a refusal without content', 200, message('refusal'), { said: { finish_reason: 'refusal' } }],
  [
    ...(['anthropic', 'a blocked output', 400] as const),
    anthropic('invalid_request_error', 'Output blocked by content filtering policy'),
  ],
  [
    ...(['openai', 'an error beside a verdict', 200] as const),
    completion(GOOD, openai('content_filter', 'moderated')),
  ],
]);

const CUT = allWith({ code: 'JUDGE_TRUNCATED', calls: 2, reason: /limit of tokens/ }, [
  ['google', 'truncation', 200, ended('length', { message: { role: 'assistant' } })],
  [
    ...(['anthropic', 'truncation', 200] as const),
    message('max_tokens', { type: 'text', text: '{"reasoning": "It' }),
    { said: { finish_reason: 'max_tokens', answer: '{"reasoning": "It' } },
  ],
]);

const UNAVAILABLE = allWith({ code: 'JUDGE_UNAVAILABLE', calls: 4, reason: /Overloaded|Upstream failed/ }, [
  [
    ...(['openai', 'an error that names a status', 200] as const),
    { error: { code: 502, message: 'Upstream failed', metadata: {} } },
    { reason: /502: Upstream failed/, said: { provider_message: 'Upstream failed' } },
  ],
  ...[200, 400, 413, 429, 529].map(
    (status): Row => [
      'anthropic',
      `an overload as ${status}`,
      status,
      anthropic('overloaded_error', 'Overloaded'),
    ],
  ),
]);

const LIMITED = allWith({ code: 'JUDGE_RATE_LIMITED', calls: 4, reason: /Slow down|Quota exceeded/ }, [
  [
    ...(['openai', 'an error of a choice', 200] as const),
    ended('error', { error: { code: 429, message: 'Slow down' }, message: { content: '' } }),
    { said: { finish_reason: 'error' } },
  ],
  ['google', 'a spent quota', 200, google(429, 'Quota exceeded', 'RESOURCE_EXHAUSTED')],
  ['google', 'a spent quota of a minute', 429, quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier')],
  [
    ...(['openai', 'tokens of a minute', 429] as const),
    openai('rate_limit_exceeded', 'Slow down: Rate limit reached on tokens per min (TPM): Limit 30000', {
      type: 'tokens',
    }),
  ],
]);

const IN_PLACE = allWith({ code: 'JUDGE_REQUEST_REJECTED', calls: 2, reason: /in place of a verdict/ }, [
  [
    'openai',
    'an error of another kind',
    200,
    { error: 'model is loading' },
    { reason: /: model is loading/ },
  ],
  ['openai', 'a bare error beside a verdict', 200, completion(GOOD, { error: true, message: 'No.' })],
  ['openai', 'an error of unknown form', 200, completion(GOOD, { error: { metadata: { raw: 1 } } })],
]);

/** Errors without content beside a verdict, as gateways send them. */
export const EMPTY_ERRORS: readonly object[] = [
  null,
  false,
  '',
  {},
  { message: '', type: '', param: '', code: null },
].map((error) => completion(GOOD, { error }));

const STREAM = 'data: {"object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n';
const PAGE = '\n<!DOCTYPE html><title>Sign in</title>';
const UNPARSABLE = { code: 'JUDGE_UNPARSABLE', calls: 2, reason: /is not JSON/ } as const;

const NO_JSON: readonly (readonly [ProviderName, WireAnswer])[] = [
  ...['application/json', 'text/event-stream; charset=utf-8'].map((type) => {
    const outcome = { ...UNPARSABLE, calls: 1, reason: /a stream of events, which was not requested/ };
    return [
      'openai',
      { ...outcome, what: `a stream as ${type}`, answer: raw(STREAM, type), said: { answer: STREAM } },
    ] as const;
  }),
  ...['text/html; charset=utf-8', 'text/plain'].map((type) => {
    const outcome = { ...UNPARSABLE, reason: /an HTML page came in place of azure_openai's answer/ };
    return [
      'azure_openai',
      { ...outcome, what: `a page as ${type}`, answer: raw(PAGE, type), said: { answer: PAGE } },
    ] as const;
  }),
  ...allWith(UNPARSABLE, [
    ['google', 'nothing', 200, '', { reason: /answer is empty/ }],
    ['google', 'half an object', 200, '{"choices":', { said: { answer: '{"choices":' } }],
    ['google', 'an object of another kind', 200, { detail: 'ok' }, { reason: /not of the form of its API/ }],
    [
      'openai',
      'another ending',
      200,
      ended('tool_calls', { message: {} }),
      { reason: /ended with tool_calls/ },
    ],
  ]),
];

const REJECTED = allWith({ code: 'BYOK_KEY_REJECTED', calls: 1, reason: /Forbidden|Firewall rules/ }, [
  [
    ...(['openai', 'a region', 403] as const),
    openai('unsupported_country_region_territory', 'Country not supported'),
    {
      reason: /^openai does not let this key make the call \(403\): Country not supported$/,
      said: { provider_message: 'Country not supported' },
    },
  ],
  ['azure_openai', 'a firewall', 403, openai('403', 'Access denied due to Virtual Network/Firewall rules.')],
  ['azure_openai', 'a gateway', 403, { statusCode: 403, message: 'Policy' }, { reason: /Policy/ }],
  ['anthropic', 'a 403 without a message', 403, 'Forbidden'],
  [
    ...(['anthropic', 'a page as a 403', 403, '<html>blocked</html>'] as const),
    { reason: /permissions, region and network rules/, said: { answer: '<html>blocked</html>' } },
  ],
  [
    ...(['openai', 'a wrong key', 401, openai('invalid_api_key', 'Incorrect API key provided')] as const),
    { reason: /replace the BYOK key; its answer: Incorrect API key/ },
  ],
]);

const NO_CREDIT = allWith({ code: 'JUDGE_NO_CREDIT', calls: 1, reason: /has no credit left/ }, [
  ['openai', 'no credit', 429, openai('insufficient_quota', 'You exceeded your current quota')],
  ['openai', 'an account without billing', 429, openai('billing_not_active', 'Your account is not active')],
  [
    ...(['anthropic', 'no credit', 400] as const),
    anthropic('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
  ],
  [
    ...(['google', 'no credit', 429] as const),
    google(429, 'Your prepayment credits are depleted.', 'RESOURCE_EXHAUSTED'),
  ],
]);

/** The money, or the quota of a day or month, is used up. */
const SPENT = allWith({ code: 'JUDGE_NO_CREDIT', calls: 1, reason: /its limit of a day or month/ }, [
  ...[
    'project_spend_limit_exceeded',
    'organization_spend_limit_exceeded',
    'organization_usage_limit_exceeded',
    'credit_balance_exhausted',
    'billing_hard_limit_reached',
  ].map((code): Row => ['openai', code, 429, openai(code, 'No more until then.')]),
  [
    ...(['openai', 'requests of a day', 429] as const),
    openai('rate_limit_exceeded', 'Rate limit reached on requests per day (RPD): Limit 200, Used 200', {
      type: 'requests',
    }),
  ],
  [
    ...(['openai', 'tokens of a day, by their abbreviation', 429] as const),
    openai('rate_limit_exceeded', 'Rate limit reached on TPD: Limit 200000, Used 199000', { type: 'tokens' }),
  ],
  [
    ...(['openai', 'requests of a day, as GitHub Models names them', 429] as const),
    openai(
      'RateLimitReached',
      'Rate limit of 50 per 86400s exceeded for UserByModelByDay. Wait 5000 seconds.',
    ),
  ],
  ...['API', 'workspace API'].map(
    (whose): Row => [
      ...(['anthropic', `${whose} usage limits`, 400] as const),
      anthropic(
        'invalid_request_error',
        `You have reached your specified ${whose} usage limits. You will regain access on 2026-12-01 at 00:00 UTC.`,
      ),
    ],
  ),
  [
    ...(['anthropic', 'the cap of the tier', 429] as const),
    {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: 'Paused.',
        details: { error_code: 'enforced_spend_limit_reached' },
      },
    },
  ],
  ['google', 'a quota of a day', 429, quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')],
  [
    ...(['google', 'quotas of a minute and a day', 429] as const),
    quota('GenerateContentInputTokensPerModelPerMinute-FreeTier', 'GenerateContentInputTokensPerModelPerDay'),
  ],
  ['google', 'a quota of a day within a 200', 200, quota('GenerateRequestsPerDayPerProjectPerModel')],
  ['azure_openai', 'a month of calls', 429, { statusCode: 429, message: 'Monthly quota exceeded.' }],
]);

const TOO_LONG = allWith({ code: 'JUDGE_CONTEXT_TOO_LONG', calls: 1, reason: /longer than/ }, [
  [
    ...(['openai', 'a context too long', 400] as const),
    openai('context_length_exceeded', "This model's maximum context length is 128000 tokens."),
    { reason: /128000 tokens/ },
  ],
  [
    ...(['openai', 'more tokens than a minute has', 429] as const),
    openai('rate_limit_exceeded', 'Request too large for gpt on tokens per min (TPM)', { type: 'tokens' }),
  ],
  [
    ...(['anthropic', 'a context too long', 400] as const),
    anthropic('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
  ],
  ['anthropic', 'a request too large', 413, anthropic('request_too_large', 'Request exceeds the maximum')],
  [
    ...(['anthropic', 'a full context', 200] as const),
    message('model_context_window_exceeded', { type: 'text', text: '{' }),
    { said: { finish_reason: 'model_context_window_exceeded' } },
  ],
  [
    ...(['google', 'a context too long', 400] as const),
    google(400, 'The input token count (1200000) exceeds the maximum', 'INVALID_ARGUMENT'),
  ],
  ['azure_openai', 'a page of a proxy that takes no more', 413, '<html>413 Request Entity Too Large</html>'],
]);

/** Answers without a verdict, as providers and the gateways before them write them. */
export const WIRE = [
  ...REFUSED,
  ...CUT,
  ...UNAVAILABLE,
  ...LIMITED,
  ...IN_PLACE,
  ...NO_JSON,
  ...REJECTED,
  ...NO_CREDIT,
  ...SPENT,
  ...TOO_LONG,
];
