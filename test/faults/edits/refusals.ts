import type { Submission } from '../clients.ts';
import { insist } from '../insist.ts';
import type { SimulatedService } from '../simulatedService.ts';
import { isRefused } from './matching.ts';

/** Two clocks are 30 s apart at most. */
const CLOCKS_MS = 30_000;

/** What was refused does not fit a bar of the suite while the request was under way. */
export function auditRefusals({ auditor }: SimulatedService, { label, suite, refusals }: Submission): void {
  for (const { answer, fromMs, untilMs } of refusals) {
    const bars = auditor.bars.during(suite.suite.id, fromMs, untilMs);
    const { sent } = auditor.sent.get(label) ?? {};
    insist(sent !== undefined, `${label} was refused before it was sent`);
    const fits = bars.every((bar) =>
      answer.status === 409
        ? auditor.bars.digest(bar) === sent.suite_digest
        : ![fromMs - CLOCKS_MS, untilMs + CLOCKS_MS].some((atMs) => isRefused(bar, sent, atMs)),
    );
    insist(
      !fits,
      `${label} fits the suite, and was answered ${answer.status} ${JSON.stringify(answer.body)}`,
    );
    if (answer.status !== 409) continue;
    const { suite_digest } = answer.body.error.details;
    const isKnown = bars.some((bar) => auditor.bars.digest(bar) === suite_digest);
    insist(isKnown, `${label} was told of the bar ${suite_digest}, which the suite did not have`);
  }
}
