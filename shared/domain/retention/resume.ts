import type { ExtendDeps } from './extend.ts';

/** An extension that went no further for so long lost its message. Longer than any message is delayed. */
const ASK_AFTER_MS = 20 * 60_000;

/** Asks again for the extensions that stand still. Answers how many. */
export async function resumeExtensions(
  { retention, queue, now }: ExtendDeps,
  { nudgeAfterMs = ASK_AFTER_MS }: { nudgeAfterMs?: number } = {},
): Promise<number> {
  const before = now() - nudgeAfterMs;
  let asked = 0;
  for (const extension of await retention.askedBefore(before)) {
    if (!(await retention.ask(extension, before))) continue;
    await queue.send([{ kind: 'extend_retention', org_id: extension.orgId }]);
    asked++;
  }
  return asked;
}
