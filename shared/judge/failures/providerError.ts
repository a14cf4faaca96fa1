/** An error as a provider writes it: `{error: {code, type, status, message, param, details}}`, and variants of it. */
export interface ProviderError {
  /** `code`, `type`, `status` and the codes of `details`: each names the kind of error in its own words. */
  readonly kinds: readonly string[];
  /** The ids and metrics of the quotas that Google's `QuotaFailure` names. */
  readonly quotas: readonly string[];
  readonly message: string;
  /** The parameter that is wrong. */
  readonly param: string;
  /** An HTTP status that the error names. */
  readonly status: number | undefined;
  /** Google's `RetryInfo`, in seconds. */
  readonly retryAfter: string | undefined;
}

/** Google wraps it in an array; gateways write a text, or no `error` around it. A page is no message. */
export function readError(body: unknown): ProviderError {
  const answer = Array.isArray(body) ? body[0] : isPage(body) ? undefined : body;
  const error = fieldOf(answer, 'error') ?? answer;
  const named = ['code', 'type', 'status'].map((name) => fieldOf(error, name));
  const texts = [error, fieldOf(error, 'message'), fieldOf(error, 'detail'), fieldOf(answer, 'message')];
  const details = listOf(fieldOf(error, 'details'));
  const codes = details.flatMap((detail) => [fieldOf(detail, 'error_code'), fieldOf(detail, 'reason')]);
  const violations = details.flatMap((detail) => listOf(fieldOf(detail, 'violations')));
  return {
    kinds: textsIn([...named, ...codes]),
    quotas: textsIn(violations.flatMap((one) => [fieldOf(one, 'quotaId'), fieldOf(one, 'quotaMetric')])),
    message: texts.find((text) => typeof text === 'string') ?? '',
    param: textOf(fieldOf(error, 'param')),
    status: named.map(Number).find((status) => status >= 400 && status <= 599),
    retryAfter: retryInfoOf(details),
  };
}

/** The error within an answer whose status is a success. */
export function errorWithin(body: unknown): ProviderError | undefined {
  const answer = Array.isArray(body) ? body[0] : body;
  const choices = fieldOf(answer, 'choices');
  const [choice] = Array.isArray(choices) ? choices : [];
  const holder = [answer, choice].find((value) => isSaid(fieldOf(value, 'error')));
  return holder === undefined ? undefined : readError(holder);
}

const NOTHING: readonly unknown[] = [undefined, null, false, '', 0];

/** Gateways send errors without content beside good answers. */
const isSaid = (error: unknown): boolean =>
  typeof error === 'object' && error !== null
    ? Object.values(error).some((value) => !NOTHING.includes(value))
    : !NOTHING.includes(error);

const isPage = (body: unknown): boolean => typeof body === 'string' && body.trimStart().startsWith('<');

/** `{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.07s"}` */
function retryInfoOf(details: readonly unknown[]): string | undefined {
  const info = details.find((detail) => textOf(fieldOf(detail, '@type')).endsWith('google.rpc.RetryInfo'));
  return /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textOf(fieldOf(info, 'retryDelay')))?.[1];
}

/** Anthropic's `details` is one object, Google's a list of them. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const textsIn = (values: readonly unknown[]): string[] =>
  values.filter((value) => typeof value === 'string').filter((value) => value !== '');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
