import type { HttpAnswer } from '../connection/connection.ts';
import type { TokenUsage } from '../domain/evaluation/judging/ports.ts';
import { failureWithin } from './failures/errors.ts';
import {
  type CallContext,
  type CallFailure,
  contextTooLong,
  refused,
  unparsable,
} from './failures/failure.ts';
import { bodyText, nameOfModel, saidBy } from './failures/said.ts';
import { type JudgeAnswer, readJudgeAnswer, type VerdictForm } from './judgeAnswer.ts';
import type { ModelAnswer } from './providers/client.ts';
import { scrubJson } from './secrets.ts';

export interface ReadVerdict {
  readonly kind: 'verdict';
  readonly verdict: JudgeAnswer;
  readonly raw: unknown;
  readonly answeredModel: string | undefined;
  readonly usage: TokenUsage;
}

export type CallResult =
  | ReadVerdict
  | { readonly kind: 'failure'; readonly failure: CallFailure; readonly usage: TokenUsage };

/** What the answer to a question is: exactly one verdict, or a failure that says what came in its place. */
export function readAnswer(
  answer: ModelAnswer,
  http: HttpAnswer | undefined,
  form: VerdictForm,
  context: CallContext,
): CallResult {
  const { raw, usage } = answer;
  if (http !== undefined && (typeof raw !== 'object' || raw === null))
    return { kind: 'failure', failure: notJson(http, context), usage };
  const verdict = failureWithin(raw, context) ?? verdictIn(answer, form, context);
  if ('code' in verdict) return { kind: 'failure', failure: withSaid(verdict, answer, context), usage };
  try {
    const answeredModel = nameOfModel(answer.model, context.scrub);
    return { kind: 'verdict', verdict, raw: scrubJson(raw, context.scrub), answeredModel, usage };
  } catch {
    return {
      kind: 'failure',
      failure: unparsable(`${context.provider}'s answer is nested too deeply`),
      usage,
    };
  }
}

function verdictIn(
  { ending, finishReason, content }: ModelAnswer,
  form: VerdictForm,
  context: CallContext,
): JudgeAnswer | CallFailure {
  const { provider, model } = context;
  switch (ending) {
    case 'complete': {
      if (content === undefined) return unparsable(`${provider}'s answer holds no single text`);
      const verdict = readJudgeAnswer(content, form);
      return typeof verdict === 'string' ? unparsable(`${provider}'s answer ${verdict}`) : verdict;
    }
    case 'refused':
      return refused(provider);
    case 'truncated': {
      const reason = `"${model}" reached its limit of tokens before its verdict was complete`;
      return { code: 'JUDGE_TRUNCATED', reason, remedy: 'ask_again' };
    }
    case 'context_full':
      return contextTooLong(context);
    case 'other':
      return unparsable(
        `${provider}'s answer ended with ${finishReason ?? 'no finish reason'}, not complete`,
      );
    case 'foreign':
      return unparsable(`${provider}'s answer is not of the form of its API`);
  }
}

/** What the provider said, beside what the failure itself says of an error within the answer. */
function withSaid(
  failure: CallFailure,
  { raw, ...answer }: ModelAnswer,
  { scrub }: CallContext,
): CallFailure {
  const shown = saidBy({ ...answer, answer: answer.content ?? bodyText(raw, scrub) }, scrub);
  return { ...failure, said: { ...shown, ...failure.said } };
}

const STREAM_START = /^\s{0,9}(?:data|event|id|retry)?:/;

/** A 200 that is no JSON: of a proxy that shows a page, or a gateway that streams. */
export function notJson({ headers, text }: HttpAnswer, { provider, scrub }: CallContext): CallFailure {
  const type = headers.get('content-type') ?? '';
  const said = saidBy({ answer: text }, scrub);
  if (/^text\/event-stream/i.test(type) || STREAM_START.test(text)) {
    const reason = `${provider} answered with a stream of events, which was not requested: turn it off in the gateway before it`;
    return { code: 'JUDGE_UNPARSABLE', reason, remedy: 'none', said };
  }
  if (/^text\/html/i.test(type) || text.trimStart().startsWith('<')) {
    const reason = `an HTML page came in place of ${provider}'s answer: of a proxy, or from an address that is not the API's`;
    return { ...unparsable(reason), said };
  }
  if (text.trim() === '') return { ...unparsable(`${provider}'s answer is empty`), said };
  const as = /json/i.test(type) ? '' : `, and its content type is "${type}"`;
  return { ...unparsable(`${provider}'s answer is not JSON${as}`), said };
}
