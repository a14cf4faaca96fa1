import { ProviderError } from './resources/providerError.ts';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const ok = (body: object): ApiAnswer => ({ status: 200, headers: {}, body });

/** The SDK repeats a request after a 5xx answer, and after no other. */
export function refusal(error: unknown): ApiAnswer {
  if (!(error instanceof ProviderError)) throw error;
  const headers: Record<string, string> = error.status < 500 ? { 'stripe-should-retry': 'false' } : {};
  return { status: error.status, headers, body: error.toBody() };
}

export function headerOf({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
