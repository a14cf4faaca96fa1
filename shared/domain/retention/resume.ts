import type { ExtendDeps } from './extend.ts';

/** An extension without progress for so long has lost its message: no message is delayed as long. */
const ASK_AFTER_MS = 20 * 60_000;

export async function resumeExtensions(
  { retention, queue, now }: ExtendDeps,
  { remindAfterMs = ASK_AFTER_MS }: { remindAfterMs?: number } = {},
): Promise<number> {
  const before = now() - remindAfterMs;
  let sent = 0;
  for (const extension of await retention.askedBefore(before)) {
    if (!(await retention.ask(extension, before))) continue;
    await queue.send([{ kind: 'extend_retention', org_id: extension.orgId }]);
    sent++;
  }
  return sent;
}
