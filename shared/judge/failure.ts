import type { Provider } from '../domain/byok/providers.ts';
import type { JudgeErrorCode } from '../domain/evaluation/judging/ports.ts';
import type { HttpAnswer, TransportProblem } from './connection/connection.ts';
import type { Scrub } from './secrets/secrets.ts';
import { asReason } from './text.ts';

/** How to go on: wait and call again, ask the same question once more, or stop. */
type Remedy = 'wait' | 'ask_again' | 'none';

export interface CallFailure {
  readonly code: JudgeErrorCode;
  readonly reason: string;
  readonly remedy: Remedy;
  readonly headers?: Headers;
  /** The provider recognised the key, although the key lacks the permission. */
  readonly isKeyKnown?: boolean;
}

export interface CallContext {
  readonly provider: Provider;
  readonly model: string;
  /** Whether a customer named the endpoint, not the deployment. */
  readonly isCustomersEndpoint: boolean;
  readonly scrub: Scrub;
}

const MESSAGE_LENGTH_MAX = 300;

const SAID_ABOUT_KEY = /API_KEY_INVALID|API key not valid|API key expired/i;
/** OpenAI's keys can be restricted to some endpoints. */
const SAID_ABOUT_SCOPE = /missing scopes/i;
const SAID_ABOUT_MODEL = /^(model_not_found|DeploymentNotFound)$/i;
const SAID_ABOUT_CONTENT = /^(content_filter|content_policy_violation|invalid_prompt)$/i;
const SAID_ABOUT_MONEY = /^(insufficient_quota|billing_hard_limit_reached|billing_error)$/i;

export function transportFailure(problem: TransportProblem, context: CallContext): CallFailure {
  const { provider } = context;
  switch (problem) {
    case 'timeout':
      return { code: 'JUDGE_TIMEOUT', reason: `${provider} did not answer in time`, remedy: 'wait' };
    case 'connection':
      return {
        code: 'JUDGE_UNAVAILABLE',
        reason: `the connection to ${provider} failed or broke`,
        remedy: 'wait',
      };
    case 'redirect':
      return {
        code: context.isCustomersEndpoint ? 'ENDPOINT_NOT_ALLOWED' : 'JUDGE_UNAVAILABLE',
        reason: `${provider} answered with a redirect, which is never followed`,
        remedy: 'none',
      };
    case 'unreadable':
      return unparsable(`${provider}'s answer is larger than 1 MB or has no usable status`);
    case 'address':
      return {
        code: 'ENDPOINT_NOT_ALLOWED',
        reason: 'the host name of the endpoint leads to an address that may not be called',
        remedy: 'none',
      };
  }
}

export function unparsable(reason: string): CallFailure {
  return { code: 'JUDGE_UNPARSABLE', reason, remedy: 'ask_again' };
}

export function refusalFailure(provider: Provider): CallFailure {
  return {
    code: 'JUDGE_REFUSED',
    reason: `${provider}'s model or content filter refused to judge`,
    remedy: 'none',
  };
}

/** The failure that an error status means. It quotes the provider's message, except about the key. */
export function statusFailure(answer: HttpAnswer, context: CallContext): CallFailure {
  const said = readError(answer.text);
  const quote = context.scrub(said.message);
  const failure = classify(
    answer.status,
    said,
    context,
    quote === '' ? '' : `: ${asReason(quote).slice(0, MESSAGE_LENGTH_MAX)}`,
  );
  const mayWait = answer.headers.get('x-should-retry') !== 'false';
  return {
    ...failure,
    remedy: failure.remedy === 'wait' && !mayWait ? 'none' : failure.remedy,
    headers: answer.headers,
  };
}

function classify(status: number, said: SaidError, context: CallContext, quote: string): CallFailure {
  const { provider, model } = context;
  if (status === 404 || SAID_ABOUT_MODEL.test(said.code)) {
    return {
      code: 'MODEL_NOT_CONFIGURED',
      reason: `${provider} does not offer the model "${model}" to this key${quote}`,
      remedy: 'none',
    };
  }
  if ([401, 402, 403].includes(status) || SAID_ABOUT_KEY.test(said.message)) {
    return {
      code: 'BYOK_KEY_REJECTED',
      reason: `${provider} rejected the stored key (${status}): replace the BYOK key or check its permissions and billing`,
      remedy: 'none',
      isKeyKnown: status === 402 || SAID_ABOUT_SCOPE.test(said.message),
    };
  }
  if (SAID_ABOUT_CONTENT.test(said.code)) return refusalFailure(provider);
  if (status === 429) return rateLimited(provider, said, quote);
  const reason = `${provider} answered ${status}${quote}`;
  if (status === 408) return { code: 'JUDGE_TIMEOUT', reason, remedy: 'wait' };
  return { code: 'JUDGE_UNAVAILABLE', reason, remedy: status >= 500 || status === 409 ? 'wait' : 'none' };
}

function rateLimited(provider: Provider, said: SaidError, quote: string): CallFailure {
  const isOutOfMoney = SAID_ABOUT_MONEY.test(said.code);
  return {
    code: 'JUDGE_RATE_LIMITED',
    reason: isOutOfMoney
      ? `the quota of the key's ${provider} account is used up${quote}`
      : `${provider} limits the rate of this key${quote}`,
    remedy: isOutOfMoney ? 'none' : 'wait',
  };
}

interface SaidError {
  readonly code: string;
  readonly message: string;
}

/** All four providers send `{error: {code, type, message}}`; Google wraps it in an array. */
function readError(text: string): SaidError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { code: '', message: '' };
  }
  const error = fieldOf(Array.isArray(body) ? body[0] : body, 'error');
  const code = fieldOf(error, 'code');
  const type = fieldOf(error, 'type');
  const message = fieldOf(error, 'message');
  return {
    code: typeof code === 'string' ? code : typeof type === 'string' ? type : '',
    message: typeof message === 'string' ? message : '',
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
