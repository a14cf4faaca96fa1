import type { JudgeErrorCode, ProviderSaid } from '../../../shared/domain/evaluation/judging/ports.ts';
import { type Answer, type ProviderName, raw } from '../../support/providers.ts';

interface WireAnswer {
  readonly what: string;
  readonly answer: Answer;
  readonly code: JudgeErrorCode;
  readonly calls: number;
  readonly reason: RegExp;
  readonly said?: ProviderSaid;
}

const of = (
  provider: ProviderName,
  what: string,
  sent: object | string,
  status: number,
  expected: Omit<WireAnswer, 'what' | 'answer'>,
): [ProviderName, WireAnswer] => {
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  return [provider, { what, answer: raw(text, 'application/json', status), ...expected }];
};

const completion = (choices: unknown, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'judge-2026-01-01',
  choices,
  ...more,
});
const GOOD = [{ index: 0, finish_reason: 'stop', message: { content: '{"reasoning":"a","score":1}' } }];

const REFUSED = { code: 'JUDGE_REFUSED', calls: 1, reason: /refused to judge/ } as const;
const NO_CREDIT = { code: 'JUDGE_NO_CREDIT', calls: 1, reason: /has no credit left/ } as const;
const TOO_LONG = { code: 'JUDGE_CONTEXT_TOO_LONG', calls: 1, reason: /longer than/ } as const;

const FILTERED: readonly [ProviderName, WireAnswer][] = [
  of(
    'google',
    'a filtered choice without a message',
    completion([{ index: 0, finish_reason: 'content_filter: PROHIBITED_CONTENT' }]),
    200,
    {
      ...REFUSED,
      said: { finish_reason: 'content_filter: PROHIBITED_CONTENT', answered_model: 'judge-2026-01-01' },
    },
  ),
  of(
    'google',
    'a filtered choice whose message is null',
    completion([{ index: 0, finish_reason: 'SAFETY', message: null }]),
    200,
    REFUSED,
  ),
  of('google', 'an empty list of choices', completion([]), 200, REFUSED),
  of('google', 'no choices', completion(undefined), 200, REFUSED),
  of('openai', 'choices that are null', completion(null), 200, REFUSED),
  of(
    'azure_openai',
    'a filtered prompt in a 200',
    completion([], { prompt_filter_results: [{ prompt_index: 0 }] }),
    200,
    REFUSED,
  ),
  of(
    'azure_openai',
    'a filtered prompt',
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: {
          code: 'ResponsibleAIPolicyViolation',
          content_filter_result: { violence: { filtered: true } },
        },
      },
    },
    400,
    { ...REFUSED, reason: /refused to judge: The response was filtered/ },
  ),
  of(
    'anthropic',
    'a refusal without content',
    { type: 'message', model: 'c', role: 'assistant', content: [], stop_reason: 'refusal' },
    200,
    {
      ...REFUSED,
      said: { finish_reason: 'refusal' },
    },
  ),
  of(
    'anthropic',
    'a blocked output',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' },
    },
    400,
    REFUSED,
  ),
];

const CUT: readonly [ProviderName, WireAnswer][] = [
  of(
    'google',
    'truncation',
    completion([{ index: 0, finish_reason: 'length', message: { role: 'assistant' } }]),
    200,
    {
      code: 'JUDGE_TRUNCATED',
      calls: 2,
      reason: /limit of tokens/,
      said: { finish_reason: 'length' },
    },
  ),
  of(
    'anthropic',
    'truncation',
    {
      type: 'message',
      model: 'c',
      content: [{ type: 'text', text: '{"reasoning": "It' }],
      stop_reason: 'max_tokens',
    },
    200,
    {
      code: 'JUDGE_TRUNCATED',
      calls: 2,
      reason: /limit of tokens/,
      said: { finish_reason: 'max_tokens', answer: '{"reasoning": "It' },
    },
  ),
  of(
    'anthropic',
    'a full context',
    {
      type: 'message',
      model: 'c',
      content: [{ type: 'text', text: '{' }],
      stop_reason: 'model_context_window_exceeded',
    },
    200,
    { ...TOO_LONG, said: { finish_reason: 'model_context_window_exceeded' } },
  ),
  of(
    'openai',
    'another ending',
    completion([{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null } }]),
    200,
    {
      code: 'JUDGE_UNPARSABLE',
      calls: 2,
      reason: /ended with tool_calls/,
    },
  ),
];

const WITHIN_200: readonly [ProviderName, WireAnswer][] = [
  of(
    'openai',
    'an error that names a status',
    { error: { code: 502, message: 'Upstream failed', metadata: {} } },
    200,
    {
      code: 'JUDGE_UNAVAILABLE',
      calls: 4,
      reason: /502: Upstream failed/,
      said: { provider_message: 'Upstream failed' },
    },
  ),
  of(
    'openai',
    'an error beside a verdict',
    {
      ...completion([
        { index: 0, finish_reason: 'stop', message: { content: '{"reasoning":"a","score":1}' } },
      ]),
      error: { message: 'moderated', code: 'content_filter' },
    },
    200,
    REFUSED,
  ),
  of(
    'openai',
    'an error of a choice',
    completion([
      {
        index: 0,
        finish_reason: 'error',
        error: { code: 429, message: 'Slow down' },
        message: { content: '' },
      },
    ]),
    200,
    {
      code: 'JUDGE_RATE_LIMITED',
      calls: 4,
      reason: /Slow down/,
      said: { finish_reason: 'error' },
    },
  ),
  of('openai', 'an error of another kind', { error: 'model is loading' }, 200, {
    code: 'JUDGE_REQUEST_REJECTED',
    calls: 2,
    reason: /an error in place of a verdict: model is loading/,
  }),
  of('openai', 'a bare error beside a verdict', completion(GOOD, { error: true, message: 'No.' }), 200, {
    code: 'JUDGE_REQUEST_REJECTED',
    calls: 2,
    reason: /in place of a verdict: No\./,
  }),
  of('openai', 'an error of unknown form', completion(GOOD, { error: { metadata: { raw: 1 } } }), 200, {
    code: 'JUDGE_REQUEST_REJECTED',
    calls: 2,
    reason: /in place of a verdict$/,
  }),
  of(
    'anthropic',
    'an overload',
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    200,
    {
      code: 'JUDGE_UNAVAILABLE',
      calls: 4,
      reason: /Overloaded/,
    },
  ),
  of(
    'google',
    'a spent quota',
    [{ error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } }],
    200,
    {
      code: 'JUDGE_RATE_LIMITED',
      calls: 4,
      reason: /Quota exceeded/,
    },
  ),
];

/** Errors without content beside a verdict, as gateways send them. */
export const EMPTY_ERRORS: readonly object[] = [
  null,
  false,
  '',
  {},
  { message: '', type: '', param: '', code: null },
].map((error) => completion(GOOD, { error }));

const CHUNK = JSON.stringify({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: '{' } }],
});

const NO_JSON: readonly [ProviderName, WireAnswer][] = [
  ...(['application/json', 'text/event-stream; charset=utf-8'] as const).map(
    (type): [ProviderName, WireAnswer] => [
      'openai',
      {
        what: `a stream as ${type}`,
        answer: raw(`data: ${CHUNK}\n\ndata: [DONE]\n\n`, type),
        code: 'JUDGE_UNPARSABLE',
        calls: 1,
        reason: /a stream of events, which was not asked for/,
        said: { answer: `data: ${CHUNK}\n\ndata: [DONE]\n\n` },
      },
    ],
  ),
  of('anthropic', 'a stream', 'event: message_start\ndata: {"type":"message_start"}\n\n', 200, {
    code: 'JUDGE_UNPARSABLE',
    calls: 1,
    reason: /stream of events/,
  }),
  ...(['text/html; charset=utf-8', 'application/json', 'text/plain'] as const).map(
    (type): [ProviderName, WireAnswer] => [
      'azure_openai',
      {
        what: `a page as ${type}`,
        answer: raw('\n<!DOCTYPE html><title>Sign in</title>', type),
        code: 'JUDGE_UNPARSABLE',
        calls: 2,
        reason: /an HTML page came in place of azure_openai's answer/,
        said: { answer: '\n<!DOCTYPE html><title>Sign in</title>' },
      },
    ],
  ),
  of('google', 'nothing', '', 200, { code: 'JUDGE_UNPARSABLE', calls: 2, reason: /answer is empty/ }),
  of('google', 'half an object', '{"choices":', 200, {
    code: 'JUDGE_UNPARSABLE',
    calls: 2,
    reason: /is not JSON/,
    said: { answer: '{"choices":' },
  }),
  of('google', 'an object of another kind', { detail: 'ok' }, 200, {
    code: 'JUDGE_UNPARSABLE',
    calls: 2,
    reason: /not of the form of its API/,
  }),
];

const REJECTED: readonly [ProviderName, WireAnswer][] = [
  of(
    'openai',
    'a region',
    {
      error: {
        code: 'unsupported_country_region_territory',
        message: 'Country, region, or territory not supported',
        type: 'request_forbidden',
      },
    },
    403,
    {
      code: 'BYOK_KEY_REJECTED',
      calls: 1,
      reason:
        /^openai does not let this key make the call \(403\): Country, region, or territory not supported$/,
      said: { provider_message: 'Country, region, or territory not supported' },
    },
  ),
  of(
    'azure_openai',
    'a firewall',
    { error: { code: '403', message: 'Access denied due to Virtual Network/Firewall rules.' } },
    403,
    {
      code: 'BYOK_KEY_REJECTED',
      calls: 1,
      reason: /Firewall rules/,
    },
  ),
  of('azure_openai', 'a gateway', { statusCode: 403, message: 'Quota policy of the gateway' }, 403, {
    code: 'BYOK_KEY_REJECTED',
    calls: 1,
    reason: /Quota policy of the gateway/,
  }),
  of(
    'google',
    'an API that is off',
    [
      {
        error: {
          code: 403,
          message: 'Generative Language API has not been used in project 1 before or it is disabled.',
          status: 'PERMISSION_DENIED',
        },
      },
    ],
    403,
    {
      code: 'BYOK_KEY_REJECTED',
      calls: 1,
      reason: /has not been used in project 1/,
    },
  ),
  of('anthropic', 'a 403 without a message', 'Forbidden', 403, {
    code: 'BYOK_KEY_REJECTED',
    calls: 1,
    reason: /Forbidden/,
  }),
  of('anthropic', 'a page as a 403', '<html>blocked</html>', 403, {
    code: 'BYOK_KEY_REJECTED',
    calls: 1,
    reason: /permissions, region and network rules/,
    said: { answer: '<html>blocked</html>' },
  }),
  of(
    'openai',
    'a wrong key',
    {
      error: {
        message: 'Incorrect API key provided: sk-wrong.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      },
    },
    401,
    {
      code: 'BYOK_KEY_REJECTED',
      calls: 1,
      reason: /replace the BYOK key; it says: Incorrect API key/,
    },
  ),
];

const MONEY: readonly [ProviderName, WireAnswer][] = [
  of(
    'openai',
    'no credit',
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
    429,
    NO_CREDIT,
  ),
  of(
    'openai',
    'an account without billing',
    {
      error: {
        message: 'Your account is not active',
        type: 'billing_not_active',
        code: 'billing_not_active',
      },
    },
    429,
    NO_CREDIT,
  ),
  of(
    'anthropic',
    'no credit',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      },
    },
    400,
    NO_CREDIT,
  ),
  of(
    'google',
    'no credit',
    [
      {
        error: { code: 429, message: 'Your prepayment credits are depleted.', status: 'RESOURCE_EXHAUSTED' },
      },
    ],
    429,
    NO_CREDIT,
  ),
  of('azure_openai', 'a 402', { error: { code: 'x', message: 'Insufficient balance' } }, 402, NO_CREDIT),
];

const LENGTH: readonly [ProviderName, WireAnswer][] = [
  of(
    'openai',
    'a context too long',
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    400,
    { ...TOO_LONG, reason: /128000 tokens/ },
  ),
  of(
    'openai',
    'more tokens than a minute has',
    {
      error: {
        message:
          'Request too large for gpt in organization o on tokens per min (TPM): Limit 30000, Requested 90000.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    429,
    TOO_LONG,
  ),
  of(
    'azure_openai',
    'a context too long',
    {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        code: 'context_length_exceeded',
      },
    },
    400,
    TOO_LONG,
  ),
  of(
    'anthropic',
    'a context too long',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    400,
    TOO_LONG,
  ),
  of(
    'anthropic',
    'a request too large',
    {
      type: 'error',
      error: { type: 'request_too_large', message: 'Request exceeds the maximum allowed number of bytes.' },
    },
    413,
    TOO_LONG,
  ),
  of(
    'google',
    'a context too long',
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    400,
    TOO_LONG,
  ),
  of(
    'azure_openai',
    'a page of a proxy that takes no more',
    '<html>413 Request Entity Too Large</html>',
    413,
    TOO_LONG,
  ),
];

/** Answers without a verdict, as providers and the gateways before them write them. */
export const WIRE = [...FILTERED, ...CUT, ...WITHIN_200, ...NO_JSON, ...REJECTED, ...MONEY, ...LENGTH];
