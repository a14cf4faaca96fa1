import type { HttpAnswer } from '../../connection/connection.ts';
import { asReason } from '../text.ts';
import { type CallContext, type CallFailure, contextTooLong, refused } from './failure.ts';
import { errorWithin, type ProviderError, readError } from './providerError.ts';
import { bodyText, saidBy } from './said.ts';

const QUOTE_LENGTH_MAX = 300;

/** OpenAI's keys can be restricted to some endpoints. */
const ABOUT_SCOPE = /missing scopes/i;
const ABOUT_FORMAT =
  /response_format|output_config|output[_ ]format|json[_ ](?:schema|mode)|structured[_ ]outputs?|response_?schema|response_?mime_?type/i;

/** The failure that an error status means. It quotes the provider's message. */
export function statusFailure(answer: HttpAnswer, context: CallContext): CallFailure {
  const body = parsed(answer.text);
  const failure = failureOf({ status: answer.status, error: readError(body), body }, context);
  const mayWait = answer.headers.get('x-should-retry') !== 'false';
  return {
    ...failure,
    remedy: failure.remedy === 'wait' && !mayWait ? 'none' : failure.remedy,
    headers: withRetryAfter(answer.headers, failure.headers),
  };
}

/** The status of an error within a 200, by what its kind says where it names none. */
const STATUS_OF_KIND: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|resource_exhausted|too_many_requests/i, 429],
  [/overloaded|unavailable|server_error|api_error|internal/i, 503],
  [/authentication|unauthenticated|invalid_api_key/i, 401],
  [/permission|forbidden/i, 403],
  [/not_found/i, 404],
  [/invalid_request|invalid_argument/i, 400],
];

/** The failure that an error within a 200 means. Undefined where the answer holds none. */
export function failureWithin(body: unknown, context: CallContext): CallFailure | undefined {
  const error = errorWithin(body);
  if (error === undefined) return undefined;
  const kind = STATUS_OF_KIND.find(([pattern]) => error.kinds.some((name) => pattern.test(name)));
  return failureOf({ status: error.status ?? kind?.[1] ?? 200, error, body }, context);
}

interface Answered {
  readonly status: number;
  readonly error: ProviderError;
  readonly body: unknown;
}

function failureOf(answered: Answered, context: CallContext): CallFailure {
  const { message, retryAfter } = answered.error;
  const { scrub } = context;
  const quote = asReason(scrub(message)).slice(0, QUOTE_LENGTH_MAX);
  return {
    ...classify(answered, context, quote === '' ? '' : `: ${quote}`),
    ...(retryAfter !== undefined && { headers: new Headers({ 'retry-after': retryAfter }) }),
    said: saidBy({ message, answer: bodyText(answered.body, scrub) }, scrub),
  };
}

type Rule = readonly [
  applies: (answered: Answered) => boolean,
  failure: (context: CallContext, quote: string, answered: Answered) => CallFailure,
];

/** By its status, one of its kinds, or its message. */
const says =
  (statuses: readonly number[], kind: RegExp, message: RegExp) =>
  ({ status, error }: Answered): boolean =>
    statuses.includes(status) || error.kinds.some((name) => kind.test(name)) || message.test(error.message);

const NEVER = /(?!)/;

/** Of an account whose money, or whose quota of a day or month, is used up: the same call fails until then. */
const SPENT_KIND =
  /insufficient_?(?:quota|credits?|balance|funds)|(?:spend|spending|usage|credit|budget)_limit|credit_balance|quota_exhausted|billing/i;
const SPENT =
  /credit balance is too low|insufficient (?:credits|balance|funds)|(?:credits?|quota|budget) (?:is|are|is|have been|has been) (?:depleted|exhausted|used up)|(?:reached|exceeded|hit) (?:your|its|the|their) [^.]{0,60}(?:usage|spend|spending|credit|budget|billing) (?:limit|cap)|used all (?:available )?credits/i;
const OF_PERIOD =
  /per[ _-]?(?:day|week|month)|per 86,?400 ?s|ByDay|\b[RT]PD\b|\b(?:dai|week|month)ly\b|\/ ?(?:day|week|month)\b/i;

/** A rate limit, or a quota that is named, of a day or a month. */
const isPeriodSpent = ({ status, error }: Answered): boolean =>
  (status === 429 || error.kinds.includes('RESOURCE_EXHAUSTED')) &&
  [...error.kinds, ...error.quotas, error.message].some((text) => OF_PERIOD.test(text));

/** The first that applies decides. */
const RULES: readonly Rule[] = [
  // Anthropic sends it with other statuses, too.
  [({ error }) => error.kinds.some((kind) => /overloaded/i.test(kind)), overloaded],
  [
    says(
      [],
      /^(?:content_filter|content_policy_violation|invalid_prompt)$/i,
      /content filtering policy|content management policy/i,
    ),
    ({ provider }, quote) => refused(provider, quote),
  ],
  [
    // A request of more tokens than an account may use in a minute never gets through either.
    says(
      [413],
      /^(?:context_length_exceeded|string_above_max_length|request_too_large)$/i,
      /maximum context length|prompt is too long|input token count[^.]{0,60}exceeds|request too large for/i,
    ),
    contextTooLong,
  ],
  [says([402], SPENT_KIND, SPENT), noCredit],
  [isPeriodSpent, noCredit],
  [says([404], /^(?:model_not_found|DeploymentNotFound)$/i, NEVER), modelNotOffered],
  [says([401, 403], NEVER, /API_KEY_INVALID|API key not valid|API key expired/i), keyFailure],
  [
    ({ status, error }) =>
      [400, 422].includes(status) && [error.param, error.message].some((text) => ABOUT_FORMAT.test(text)),
    (context, quote, { status }) => ({ ...unavailable(status, context, quote), remedy: 'ask_plainly' }),
  ],
  [({ status }) => status === 429, rateLimited],
  [
    ({ status }) => status === 408,
    (context, quote) => ({ ...unavailable(408, context, quote), code: 'JUDGE_TIMEOUT', remedy: 'wait' }),
  ],
  [({ status }) => status < 400, errorInPlaceOfVerdict],
];

function classify(answered: Answered, context: CallContext, quote: string): CallFailure {
  const [, failure] = RULES.find(([applies]) => applies(answered)) ?? [];
  return failure?.(context, quote, answered) ?? unavailable(answered.status, context, quote);
}

function unavailable(status: number, { provider }: CallContext, quote: string): CallFailure {
  const reason = `${provider} answered ${status}${quote}`;
  if (status >= 500 || status === 409) return { code: 'JUDGE_UNAVAILABLE', reason, remedy: 'wait' };
  // What the output can bring about must not pass for an outage.
  return { code: 'JUDGE_REQUEST_REJECTED', reason, remedy: 'none' };
}

function noCredit({ provider }: CallContext, quote: string, { status }: Answered): CallFailure {
  const reason = `the key's ${provider} account has no credit left, or has reached its limit of a day or month (${status})${quote}`;
  return { code: 'JUDGE_NO_CREDIT', reason, remedy: 'none', isKeyKnown: true };
}

function modelNotOffered({ provider, model }: CallContext, quote: string): CallFailure {
  const reason = `${provider} does not offer the model "${model}" to this key${quote}`;
  return { code: 'MODEL_NOT_CONFIGURED', reason, remedy: 'none' };
}

function overloaded(context: CallContext, quote: string, { status }: Answered): CallFailure {
  const { reason } = unavailable(status, context, quote);
  return { code: 'JUDGE_UNAVAILABLE', reason, remedy: 'wait', isOfLoad: true };
}

/** Every 429 has this text, whatever is limited. */
const TOO_MANY = /too[ _]many[ _]requests/gi;

function rateLimited({ provider }: CallContext, quote: string, { error }: Answered): CallFailure {
  const reason = `${provider} limits the rate of this key${quote}`;
  const errorText = [...error.kinds, ...error.quotas, error.message].join(' ').replace(TOO_MANY, '');
  // What is not named may be tokens, which a long output uses up.
  const isOfLoad = /requests|\bRPM\b/i.test(errorText) && !/tokens?|\bTPM\b/i.test(errorText);
  return { code: 'JUDGE_RATE_LIMITED', reason, remedy: 'wait', isOfLoad };
}

/** Of no kind that is known to be an outage: the output may have brought it about. */
function errorInPlaceOfVerdict({ provider }: CallContext, quote: string): CallFailure {
  const reason = `${provider} answered with an error in place of a verdict${quote}`;
  return { code: 'JUDGE_REQUEST_REJECTED', reason, remedy: 'ask_again' };
}

/** A 403 has many causes beside the key: a region, a network rule, an API that is not enabled. */
function keyFailure({ provider }: CallContext, quote: string, { status, error }: Answered): CallFailure {
  const reason =
    status === 403
      ? `${provider} does not let this key make the call (403)${quote || ': check its permissions, region and network rules there'}`
      : `${provider} rejected the stored key (${status}): replace the BYOK key${quote && `; its answer${quote}`}`;
  return { code: 'BYOK_KEY_REJECTED', reason, remedy: 'none', isKeyKnown: ABOUT_SCOPE.test(error.message) };
}

/** What the header says counts before what the body says. */
function withRetryAfter(headers: Headers, fromBody: Headers | undefined): Headers {
  return headers.has('retry-after') || headers.has('retry-after-ms') ? headers : (fromBody ?? headers);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
