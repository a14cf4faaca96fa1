import { handler as createRun } from '../../functions/runs/create.ts';
import type { Suite } from '../../shared/contracts/suites.ts';
import { revisionOf } from '../../shared/domain/runs/resolveSuite.ts';
import { packStore } from '../../shared/storage/packs/packedSuites.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';
import { contextOf, eventOf } from '../../test/faults/functions.ts';
import { type Gate, makeGate } from '../../test/functions/runs/gate.ts';
import { api } from '../../test/support/api.ts';
import { evaluatorByHand } from '../../test/support/evaluatorByHand.ts';
import { type Cost, costOf, type EngineService, startEngineService } from '../../test/support/ownService.ts';
import type { Row } from '../result.ts';
import { fillGate } from '../suite.ts';
import type { Model } from './model.ts';

const CASES = { full: 10_000, smallest: 510 } as const;

interface Stage {
  readonly service: EngineService;
  readonly gate: Gate;
  readonly apiKey: string;
  /** Of the suite's `exact_match` cases. */
  readonly output: string;
}

async function makeStage(service: EngineService, cases: number): Promise<Stage> {
  const signedUp = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Large' });
  const apiKey: string = signedUp.body.data.api_key.key;
  const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 }, api(service.baseUrl, apiKey));
  return { service, gate, apiKey, output: await fillGate(gate, service.table, cases) };
}

/** `POST /v1/run` by a function that has just started. */
async function byNewFunction({ service, gate, apiKey, output }: Stage, fields: object) {
  let id = '';
  const cost = await costOf(service, async () => {
    const body = { suite: gate.suite.slug, output, ...fields };
    const answer = await createRun.withRuntime(service.runtime)(eventOf({ body }, apiKey), contextOf('cold'));
    id = JSON.parse(answer.body ?? '{}').id;
    if (id === undefined) throw new Error(answer.body);
  });
  return { id, cost };
}

async function unitsDuring({ service }: Stage, work: () => Promise<unknown>): Promise<Cost> {
  const before = service.table.consumed();
  await work();
  const after = service.table.consumed();
  return { read: after.read - before.read, write: after.write - before.write };
}

/** Admission and evaluation, one message after the other. */
async function asyncRun(stage: Stage): Promise<{ admission: Cost; evaluation: Cost }> {
  const { service, gate } = stage;
  const { id, cost: admission } = await byNewFunction(stage, { async: true });
  const evaluator = evaluatorByHand(service);
  evaluator.send({ kind: 'plan', org_id: gate.project.org_id, run_id: id });
  const evaluation = await unitsDuring(stage, () => evaluator.work());
  const { data } = (await gate.client('GET', `/v1/runs/${id}`)).body;
  if (data.status !== 'cleared') throw new Error(JSON.stringify(data));
  return { admission, evaluation };
}

async function readPack(stage: Stage, suite: Suite): Promise<Cost> {
  const { table, runtime } = stage.service;
  const { org_id: orgId, slug } = stage.gate.project;
  const project = await projectStore(table).head(orgId, slug);
  const head = await suiteStore(table).head(orgId, suite.slug, suite.project_id);
  if (project === undefined || head === undefined) throw new Error('The suite is gone');
  const at = { orgId, suiteId: suite.id, revision: revisionOf({ head, project }) };
  const packs = packStore(table);
  return unitsDuring(stage, async () => {
    const pack = await packs.pack(at, runtime.now());
    const cases = pack && (await packs.packedCases(at, pack));
    if (cases?.length !== pack?.totalCases) throw new Error('The suite is not packed');
  });
}

function rowsOf(metric: string, { read, write }: Cost, bounds: Partial<Cost> = {}): Row[] {
  const bound = (atMost: number | undefined) => (atMost === undefined ? {} : { bound: { atMost } });
  return [
    { metric, value: read, unit: 'read units', ...bound(bounds.read) },
    { metric, value: write, unit: 'write units', ...bound(bounds.write) },
  ];
}

const edit = async ({ gate }: Stage, cases: readonly { readonly id: string }[]): Promise<void> => {
  const answer = await gate.client('PATCH', `/v1/cases/${cases[0]?.id}`, { weight: 1.5 });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
};

/** What a suite's size costs its runs, counted on the embedded engine. */
export const modelLargeSuites: Model = async (size) => {
  const cases = CASES[size];
  const service = await startEngineService();
  try {
    const stage = await makeStage(service, cases);
    const { client, suite } = stage.gate;
    const listed = (await client('GET', `/v1/suites/${suite.id}/cases?pageSize=1`)).body.data;
    const filled = await asyncRun(stage);
    await edit(stage, listed);
    const first = await asyncRun(stage);
    const second = await asyncRun(stage);
    await edit(stage, listed);
    const packing = await byNewFunction(stage, {});
    const cold = await byNewFunction(stage, {});
    const name = `suite of ${cases} cases`;
    return [
      ...rowsOf(`${name}, packed, read whole`, await readPack(stage, suite), { read: 100, write: 0 }),
      ...rowsOf(`${name}, async run admitted by a new function`, second.admission, { read: 10 }),
      ...rowsOf(`${name}, the same right after an edit`, first.admission, { read: 10 }),
      ...rowsOf(`${name}, the same of a suite whose cases were never counted`, filled.admission),
      ...rowsOf(`${name}, first async run of a revision, evaluated`, first.evaluation),
      ...rowsOf(`${name}, second async run of a revision, evaluated`, second.evaluation),
      ...rowsOf(`${name}, first sync run of a revision, new function`, packing.cost),
      ...rowsOf(`${name}, second sync run of a revision, new function`, cold.cost),
    ];
  } finally {
    await service.stop();
  }
};
