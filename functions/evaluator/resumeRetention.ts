import { resumeExtensions } from '../../shared/domain/retention/resume.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { retentionStore } from '../../shared/storage/billing/retention.ts';

/** Once a minute. `detail.remindAfterMs` asks for younger extensions too, as after a queue forgot its messages. */
export const handler = schedule({
  dependencies: ({ table, now, config }) => ({
    retention: retentionStore(table, now),
    queue: queueFromConfig(config),
    now,
  }),
  handle: (detail, deps) => resumeExtensions(deps, detail),
});
