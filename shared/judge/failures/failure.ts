import type { TransportProblem } from '../../connection/connection.ts';
import type { Provider } from '../../domain/byok/providers.ts';
import type { JudgeErrorCode, ProviderSaid } from '../../domain/evaluation/judging/ports.ts';
import type { Scrub } from '../secrets.ts';

/** How to go on: wait and call again, ask the same question once more, ask it once without a schema, or stop. */
type Remedy = 'wait' | 'ask_again' | 'ask_plainly' | 'none';

export interface CallFailure {
  readonly code: JudgeErrorCode;
  readonly reason: string;
  readonly remedy: Remedy;
  readonly headers?: Headers;
  /** The provider recognised the key, although the key lacks the permission or its account the credit. */
  readonly isKeyKnown?: boolean;
  /** The provider names a cause that no output brings about: its load, or the number of requests. */
  readonly isOfLoad?: boolean;
  /** Undefined where no answer came. */
  readonly said?: ProviderSaid;
}

export interface CallContext {
  readonly provider: Provider;
  readonly model: string;
  /** Whether a customer named the endpoint, not the deployment. */
  readonly isCustomersEndpoint: boolean;
  readonly scrub: Scrub;
}

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

export function refused(provider: Provider, quote = ''): CallFailure {
  return {
    code: 'JUDGE_REFUSED',
    reason: `${provider}'s model or content filter refused to judge${quote}`,
    remedy: 'none',
  };
}

export function contextTooLong({ provider, model }: CallContext, quote = ''): CallFailure {
  return {
    code: 'JUDGE_CONTEXT_TOO_LONG',
    reason: `rubric, inputs, expected answer and output are longer than ${provider} takes for "${model}"${quote}`,
    remedy: 'none',
  };
}
