import { timestamp } from './time.ts';
import { VERSION } from './version.ts';

interface Deps {
  readonly now: () => number;
  /** False when the table gives no answer in time. */
  readonly tableAnswers: () => Promise<boolean>;
}

export async function checkHealth({ now, tableAnswers }: Deps) {
  const connected = await tableAnswers();
  return {
    status: connected ? ('ok' as const) : ('degraded' as const),
    version: VERSION,
    timestamp: timestamp(now()),
    services: {
      database: connected ? ('connected' as const) : ('unavailable' as const),
      redis: 'not_configured' as const,
    },
  };
}
