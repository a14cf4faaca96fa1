import type { WorkMessage } from '../messages.ts';
import { type ExtendDeps, extendRetention } from '../retention/extend.ts';
import type { EvaluateDeps } from './deps.ts';
import { evaluateChunk } from './evaluateChunk.ts';
import { type CheckDeps, evaluateCheck } from './judgeChecks/evaluateCheck.ts';
import { answerKeyTest } from './judging/keyTest.ts';
import type { KeyTestStore } from './judging/ports.ts';
import { planRun } from './planning/plan.ts';

export async function handleMessage(
  message: WorkMessage,
  deps: EvaluateDeps & ExtendDeps & CheckDeps & { keyTests: KeyTestStore },
): Promise<void> {
  switch (message.kind) {
    case 'plan':
      return planRun(deps, message.org_id, message.run_id);
    case 'chunk':
      return evaluateChunk(deps, message);
    case 'key_test':
      return answerKeyTest(deps, message);
    case 'judge_check':
      return evaluateCheck(deps, message);
    case 'extend_retention':
      return extendRetention(deps, message.org_id);
  }
}
