import { createConnect } from '../connection/connection.ts';
import type {
  Judge,
  JudgeDeps,
  JudgeError,
  JudgeOutcome,
  JudgeRequest,
  JudgeVerdict,
  KeyTest,
  NotJudged,
  TokenUsage,
} from '../domain/evaluation/judging/ports.ts';
import { sumOfUsage } from '../domain/evaluation/judging/usage.ts';
import type { NotMade } from '../domain/evaluation/slots/ports.ts';
import { scoreOfLevel } from '../scoring/kit/definition.ts';
import { Caller } from './call.ts';
import type { CallFailure } from './failures/failure.ts';
import { judgeAnswerSchema, type VerdictForm } from './judgeAnswer.ts';
import { type AnswerForm, renderPrompt } from './prompt.ts';
import { promptVersionOf } from './prompts/version.ts';
import { NO_USAGE } from './providers/client.ts';
import type { ReadVerdict } from './reading.ts';
import { Retries } from './retry.ts';
import type { JudgeSettings } from './settings.ts';
import { resolveTarget } from './target.ts';
import { asReason } from './text.ts';

export function createJudge(settings: JudgeSettings): Judge {
  const connect = createConnect();
  return {
    async judge(request, deps) {
      const target = resolveTarget(request.provider, request.model, settings);
      if (target.kind === 'error') return target;
      const caller = new Caller(target, request.apiKey, settings, connect);
      return askUntilJudged(request, caller, deps, new Retries(deps, settings));
    },
    async testKey(provider, apiKey, model) {
      const target = resolveTarget(provider, model, settings);
      if (target.kind === 'error') return target;
      const { failure } = await new Caller(target, apiKey, settings, connect).listModels();
      return keyTest(failure);
    },
    async retirements(provider, apiKey, model) {
      const target = resolveTarget(provider, model, settings);
      if (target.kind === 'error') return new Map();
      const { models = [] } = await new Caller(target, apiKey, settings, connect).listModels();
      return new Map(models.flatMap(({ id, shutdownDate }) => (shutdownDate ? [[id, shutdownDate]] : [])));
    },
  };
}

async function askUntilJudged(
  request: JudgeRequest,
  caller: Caller,
  deps: JudgeDeps,
  retries: Retries,
): Promise<JudgeOutcome> {
  const verdictForm: VerdictForm = {
    isDualSided: request.dualSided,
    levels: (request.scale ?? []).map(scoreOfLevel),
  };
  let form: AnswerForm = 'by_schema';
  let usage = NO_USAGE;
  let failure: CallFailure | undefined;
  for (;;) {
    const waitsSinceMs = deps.now();
    const slotted = await deps.withSlot(() => {
      retries.waited(deps.now() - waitsSinceMs);
      const prompt = renderPrompt(request, deps.newDelimiter(), form);
      const schema = form === 'plain' ? undefined : judgeAnswerSchema(request.dualSided);
      return caller.ask({ prompt, schema }, verdictForm);
    });
    if (slotted.kind === 'not_made') return withoutCall(slotted.why, failure, usage);
    const result = slotted.value;
    usage = sumOfUsage(usage, result.usage);
    const promptVersion = promptVersionOf(form);
    if (result.kind === 'verdict') return { ...verdictOutcome(result, usage, caller), promptVersion };
    failure = result.failure;
    const waitMs = retries.after(failure);
    if (waitMs === undefined) return { ...errorOutcome(failure, promptVersion), usage };
    if (failure.remedy === 'ask_plainly') form = 'plain';
    if (waitMs > 0) await deps.sleep(waitMs);
  }
}

/** A case whose calls are used up fails with what its last call said, if it made one here. */
function withoutCall(
  why: NotMade,
  lastFailure: CallFailure | undefined,
  usage: TokenUsage,
): JudgeError | NotJudged {
  if (why === 'no_slot') return NO_SLOT;
  if (why === 'calls_exhausted' && lastFailure !== undefined) return { ...errorOutcome(lastFailure), usage };
  return { kind: 'not_judged', why };
}

const NO_SLOT: JudgeError = {
  kind: 'error',
  code: 'JUDGE_CONCURRENCY_EXCEEDED',
  reason: 'all judge calls that may run at once for this provider are taken',
};

function verdictOutcome(
  { verdict, raw: rawResponse, answeredModel }: ReadVerdict,
  usage: TokenUsage,
  caller: Caller,
): JudgeVerdict {
  const { reasoning, ...figures } = verdict;
  const reason = asReason(caller.scrub(reasoning));
  return { kind: 'verdict', ...figures, reason, rawResponse, answeredModel, usage };
}

function errorOutcome({ code, reason, said, isOfLoad }: CallFailure, promptVersion?: string): JudgeError {
  return {
    kind: 'error',
    code,
    reason: asReason(reason),
    ...(isOfLoad && { isOfLoad }),
    ...(said && { said, promptVersion }),
  };
}

/** Only a rejected key is invalid. Any other failure is an error of the test. */
function keyTest(failure: CallFailure | undefined): KeyTest {
  if (failure === undefined || failure.isKeyKnown) return { kind: 'tested', valid: true };
  if (failure.code === 'BYOK_KEY_REJECTED') return { kind: 'tested', valid: false };
  return errorOutcome(failure);
}
