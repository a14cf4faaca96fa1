import type { RunningService } from '../test/support/service.ts';

interface LogLine {
  readonly read_units: number;
  readonly write_units: number;
}

/** What the service's own log lines say of each request to an endpoint, the newest last. */
export function loggedUnits(service: RunningService, endpoint: string): LogLine[] {
  const lines = service.stderr().split('\n');
  return lines
    .filter((line) => line.includes(`"endpoint":"${endpoint}"`))
    .map((line) => JSON.parse(line) as LogLine);
}
