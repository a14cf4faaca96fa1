import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { FUNCTION_MEMORY_MB } from '../../infra/functionSizes.ts';
import type { WorkMessage } from '../../shared/domain/messages.ts';
import { type EngineService, startEngineService } from '../../test/support/ownService.ts';
import { NODE } from '../../test/support/processes.ts';
import { temporaryFolder } from '../../test/support/service.ts';
import type { Row } from '../result.ts';
import { answeredGate, sentBy } from './answers.ts';
import type { Handled } from './evaluatorProcess.ts';

const EVALUATOR = path.join(import.meta.dirname, 'evaluatorProcess.ts');
const MEGABYTE = 1_024 * 1_024;

const HEAP_MEGABYTES = Math.floor(FUNCTION_MEMORY_MB.evaluator * 0.9);

/** Node with the heap that it has in the evaluator's function, unless the caller names another. */
export async function handleApart(
  endpoint: string,
  message: WorkMessage,
  heapMegabytes = HEAP_MEGABYTES,
): Promise<Handled> {
  const folder = temporaryFolder();
  const keyFile = path.join(folder, 'vault-key');
  writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  const heap = `--max-old-space-size=${heapMegabytes}`;
  const flags = ['--disable-warning=ExperimentalWarning', heap];
  const child = spawn(NODE, [...flags, EVALUATOR, endpoint, keyFile], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The evaluator ended with ${signal ?? code}`);
  });
  try {
    await Promise.race([once(child, 'message'), failed]);
    child.send(message);
    const [handled] = await Promise.race([once(child, 'message'), failed]);
    return handled as Handled;
  } finally {
    failed.catch(() => undefined);
    rmSync(folder, { recursive: true });
  }
}

interface Measured extends Handled {
  readonly seconds: number;
}

/** One queued run with outputs of its own, gzipped, from the request to its verdict. */
async function measure(service: EngineService, cases: number): Promise<Measured> {
  const gate = await answeredGate(service, cases);
  const body = gzipSync(
    JSON.stringify({ suite: gate.suite.slug, ...sentBy('own outputs', 1, cases), async: true }),
  );
  const before = service.table.consumed();
  const started = performance.now();
  const answer = await gate.client('POST', '/v1/run', body, { 'content-encoding': 'gzip' });
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  const run_id = answer.body.id;
  const accepted = service.table.consumed();
  const handled = await handleApart(service.endpoint, { kind: 'plan', org_id: gate.project.org_id, run_id });
  const seconds = (performance.now() - started) / 1_000;
  const { data } = (await gate.client('GET', `/v1/runs/${run_id}`)).body;
  if (data.status !== 'cleared' || data.passed_cases !== cases) throw new Error(JSON.stringify(data));
  return {
    ...handled,
    seconds,
    read: handled.read + accepted.read - before.read,
    write: handled.write + accepted.write - before.write,
  };
}

const rowsOf = (cases: number, { seconds, read, write, idleBytes, peakBytes }: Measured): Row[] => {
  const metric = `queued run, ${cases} cases, own outputs`;
  return [
    { metric, value: write, unit: 'write units' },
    { metric, value: read, unit: 'read units' },
    { metric, value: cases / seconds, unit: 'cases/s by one evaluator' },
    { metric, value: peakBytes / MEGABYTE, unit: 'MB peak of the evaluator' },
    { metric, value: (peakBytes - idleBytes) / MEGABYTE, unit: 'MB above idle' },
  ];
};

/** In the order of their cases. The last is compared with the one before. */
export async function queuedRows(counts: readonly number[]): Promise<Row[]> {
  const service = await startEngineService();
  try {
    const measured: [number, Measured][] = [];
    for (const cases of counts) measured.push([cases, await measure(service, cases)]);
    const rows = measured.flatMap(([cases, figures]) => rowsOf(cases, figures));
    const [few, many] = measured.slice(-2);
    if (few === undefined || many === undefined) return rows;
    const metric = `queued run, ${many[0]} cases against ${few[0]}, own outputs`;
    const times = many[1].peakBytes / few[1].peakBytes;
    return [
      ...rows,
      { metric, value: times, unit: 'x peak memory of the evaluator', bound: { atMost: 2 } },
      {
        metric: `queued run, ${many[0]} cases, own outputs, by one evaluator`,
        value: many[1].seconds,
        unit: 's to its verdict',
        bound: { atMost: 12 },
      },
    ];
  } finally {
    await service.stop();
  }
}
