import type { WorkQueue } from '../../messages.ts';
import { MARK_AGAIN_AFTER_MS, MARK_LOST_AFTER_MS, MARKS_MAX } from '../limits.ts';
import type { QueueMark, QueueMarkStore } from './ports.ts';

interface Deps {
  readonly queueMarks: QueueMarkStore;
  readonly queue: WorkQueue;
}

/** The marks of one sweep: their number is bounded, so that a backlog of many organisations does not grow by them. */
export function createMarks({ queueMarks, queue }: Deps, nowMs: number) {
  let left = MARKS_MAX;
  const isOnItsWay = ({ sentAtMs, passedAtMs }: QueueMark): boolean =>
    sentAtMs > passedAtMs && sentAtMs > nowMs - MARK_LOST_AFTER_MS;
  // Others have their turn first.
  const isRecent = ({ sentAtMs }: QueueMark): boolean => sentAtMs > nowMs - MARK_AGAIN_AFTER_MS;

  /** Marks the queue for these organisations, unless a mark of theirs is on its way or was sent a moment ago. */
  return async (orgIds: Iterable<string>, known: ReadonlyMap<string, QueueMark>): Promise<void> => {
    const unmarked = [...orgIds].filter((orgId) => {
      const mark = known.get(orgId);
      return mark === undefined || !(isOnItsWay(mark) || isRecent(mark));
    });
    const chosen = unmarked.slice(0, left);
    left -= chosen.length;
    for (const org_id of chosen) {
      if (!(await queueMarks.intend(org_id, nowMs))) continue;
      await queue.send([{ kind: 'queue_mark', org_id, sent_at: nowMs }]);
    }
  };
}
