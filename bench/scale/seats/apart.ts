import type { Provider } from '../../../shared/domain/byok/providers.ts';
import type { ChunkMessage } from '../../../shared/domain/messages.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import type { Simulation } from '../../../test/faults/simulation.ts';
import type { Row } from '../../result.ts';
import { PROVIDERS, SeatsStage } from './stage.ts';
import { secondsToVerdict } from './verdicts.ts';

const CALL_MS = [1_500, 4_500] as const;
const CASES = 10;
/** As many calls as the slots of both providers make. */
const RUNS_AT_ONCE = 10;
const STEADY = {
  full: { backlog: 40, everyMs: 15_000, seconds: 1_800 },
  smallest: { backlog: 3, everyMs: 15_000, seconds: 60 },
};

export type Apart = 'two judges' | 'tried before';

/** A run that not every evaluator with a seat can take along, behind runs of its organisation that never end. */
export async function runApart(sim: Simulation, why: Apart, size: keyof typeof STEADY): Promise<Row[]> {
  const { backlog, everyMs, seconds } = STEADY[size];
  const stage = new SeatsStage(sim, { callMs: CALL_MS });
  const tenant = await stage.tenant(CASES);
  const submit = async (providers: readonly Provider[], before?: (run: ChunkMessage) => Promise<void>) => {
    const messages = await stage.run(tenant, { providers });
    for (const message of messages) await before?.(message);
    await stage.queue.send(messages);
    return messages;
  };
  const submitOthers = (runs: number) =>
    Promise.all(Array.from({ length: runs }, () => PROVIDERS.map((provider) => submit([provider]))).flat());
  await submitOthers(backlog);
  const apart =
    why === 'two judges' ? await submit(PROVIDERS) : await submit(['openai'], (run) => tryInVain(stage, run));
  let waited: number | undefined;
  void secondsToVerdict(stage, apart).then((value) => {
    waited = value;
  });
  for (let ms = 0; ms < 1_000 * seconds && waited === undefined; ms += everyMs) {
    void submitOthers(RUNS_AT_ONCE);
    await sim.sleep(everyMs);
  }
  const metric = `a chunk apart (${why}) behind its organisation's backlog that never ends`;
  // Where it did not end, it waited for at least as long as the others came.
  return [
    { metric, value: waited ?? seconds, unit: 's', ...(size === 'full' && { bound: { atMost: 300 } }) },
  ];
}

/** As after an evaluator that failed at it. */
export async function tryInVain(
  { table, sim }: SeatsStage,
  { org_id, run_id, chunk }: ChunkMessage,
): Promise<void> {
  const evaluations = evaluationStore(table.memory, sim.now);
  const evaluation = await evaluations.find(org_id, run_id);
  if (evaluation === undefined) throw new Error('the run is not there');
  await evaluations.claim(evaluation, chunk, 'failed');
  await evaluations.release(evaluation, chunk, 'failed', { countsAsTry: true });
}
