import { handler as signUp } from '../../functions/auth/signup.ts';
import { handler as createProject } from '../../functions/projects/create.ts';
import { handler as createScorer } from '../../functions/scorers/create.ts';
import { handler as createSuite } from '../../functions/suites/create.ts';
import type { Project } from '../../shared/contracts/projects.ts';
import type { Suite } from '../../shared/contracts/suites.ts';
import type { HttpHandler } from '../../shared/http/endpoint.ts';
import type { Runtime } from '../../shared/runtime/runtime.ts';
import { fillSuite } from '../functions/runs/filled.ts';
import type { Gate } from '../functions/runs/gate.ts';
import { type Call, contextOf, eventOf } from './functions.ts';

export interface SuiteShape {
  readonly name: string;
  readonly cases: number;
  /** Which of the cases a model judges. */
  readonly isJudged: (index: number) => boolean;
  readonly isBad?: (index: number) => boolean;
  readonly passThreshold?: number;
}

export interface SuiteFixture {
  readonly org: Organisation;
  readonly suite: Suite;
  readonly shape: SuiteShape;
  readonly caseIds: readonly string[];
  readonly caseNames: readonly string[];
}

export interface JudgeOf {
  readonly provider: string;
  readonly model?: string;
}

export interface Organisation {
  readonly orgId: string;
  readonly apiKey: string;
  readonly project: Project;
  readonly scorers: { readonly judge: string; readonly says: string; readonly misses: string };
}

/** Calls a handler directly; throws unless it succeeds. */
export async function direct(handler: HttpHandler, call: Call, apiKey = '') {
  const answer = await handler(eventOf(call, apiKey), contextOf('direct'));
  if ((answer.statusCode ?? 500) >= 300) throw new Error(`${answer.statusCode} ${answer.body}`);
  return JSON.parse(answer.body ?? '{}');
}

export async function makeOrganisation(runtime: Runtime, judge: JudgeOf): Promise<Organisation> {
  const signed = await direct(signUp.withRuntime(runtime), { body: { name: 'Simulated' } });
  const apiKey: string = signed.data.api_key.key;
  const made = await direct(createProject.withRuntime(runtime), { body: { name: 'A project' } }, apiKey);
  const project: Project = made.data;
  const scorer = async (body: object): Promise<string> => {
    const call = { params: { slug: project.slug }, body: { name: 'A scorer', ...body } };
    return (await direct(createScorer.withRuntime(runtime), call, apiKey)).data.id;
  };
  return {
    orgId: project.org_id,
    apiKey,
    project,
    scorers: {
      judge: await scorer({
        type: 'llm_judge',
        config: { rubric: 'Is it good?', _provider: judge.provider, model: judge.model },
      }),
      says: await scorer({ type: 'contains', config: { values: ['ok'] } }),
      misses: await scorer({ type: 'contains', config: { values: ['what no output says'] } }),
    },
  };
}

export async function makeSuite(
  runtime: Runtime,
  org: Organisation,
  shape: SuiteShape,
): Promise<SuiteFixture> {
  const { apiKey, project, scorers } = org;
  const body = { name: shape.name, pass_threshold: shape.passThreshold ?? 0.5 };
  const call = { params: { slug: project.slug }, body };
  const suite: Suite = (await direct(createSuite.withRuntime(runtime), call, apiKey)).data;
  const caseNames = Array.from(
    { length: shape.cases },
    (_, index) => `${shape.isBad?.(index) ? 'bad' : 'good'}-${index}`,
  );
  const gate: Pick<Gate, 'project' | 'suite'> = { project, suite };
  const caseIds = await fillSuite(runtime.table, gate, shape.cases, (index) => {
    const name = caseNames[index] ?? '';
    const scored = shape.isBad?.(index) ? scorers.misses : scorers.says;
    const scorer_id = shape.isJudged(index) ? scorers.judge : scored;
    return { id: runtime.newId(), name, input: { name }, scorer_id, expected: null };
  });
  return { org, suite, shape, caseIds, caseNames };
}
