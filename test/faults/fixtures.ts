import { handler as signUp } from '../../functions/auth/signup.ts';
import { handler as createProject } from '../../functions/projects/create.ts';
import { handler as createScorer } from '../../functions/scorers/create.ts';
import { handler as createSuite } from '../../functions/suites/create.ts';
import type { Project } from '../../shared/contracts/projects.ts';
import type { Suite } from '../../shared/contracts/suites.ts';
import type { HttpHandler } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import type { Runtime } from '../../shared/runtime/runtime.ts';
import { fillSuite } from '../functions/runs/filled.ts';
import type { Gate } from '../functions/runs/gate.ts';
import { drawCaseRules, drawGates } from './edits/ruleDraws.ts';
import { type Call, contextOf, eventOf } from './functions.ts';
import type { Random } from './random.ts';

export interface SuiteShape {
  readonly name: string;
  readonly cases: number;
  /** Which of the cases a model judges. */
  readonly isJudged: (index: number) => boolean;
  readonly isBad?: (index: number) => boolean;
  /** Which are decided by the trace of an output. */
  readonly isTraced?: (index: number) => boolean;
  readonly passThreshold?: number;
  readonly gates?: object;
  /** Without rules and gates; its clients send one output that passes. */
  readonly isPlain?: boolean;
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
  /** How often at most it is asked about an output: each one is next to the bar. */
  readonly votes?: number;
}

export interface Organisation {
  readonly orgId: string;
  readonly apiKey: string;
  readonly project: Project;
  readonly scorers: Readonly<Record<'judge' | 'says' | 'misses' | 'calls', string>>;
  /** Of its judge. */
  readonly votes: number;
  /** What their digests are made of, by their ids. */
  readonly scorerDocuments: ReadonlyMap<string, object>;
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
  const scorerDocuments = new Map<string, object>();
  const scorer = async (body: object): Promise<string> => {
    const call = { params: { slug: project.slug }, body: { name: 'A scorer', ...body } };
    const { id, type, config, dual_sided } = (await direct(createScorer.withRuntime(runtime), call, apiKey))
      .data;
    const nameJudge = createJudgeIdentity(judgeSettingsFromEnv(process.env));
    const asked = type === 'llm_judge' && { judge: nameJudge(config._provider, config.model) };
    scorerDocuments.set(id, { type, config, dual_sided, ...asked });
    return id;
  };
  return {
    orgId: project.org_id,
    apiKey,
    project,
    scorerDocuments,
    votes: judge.votes ?? 1,
    scorers: {
      judge: await scorer({
        type: 'llm_judge',
        config: {
          rubric: 'Is it good?',
          _provider: judge.provider,
          model: judge.model,
          ...(judge.votes && { votes: judge.votes, scale: [0.2, 0.9] }),
        },
      }),
      says: await scorer({ type: 'contains', config: { values: ['ok'] } }),
      misses: await scorer({ type: 'contains', config: { values: ['what no output says'] } }),
      calls: await scorer({
        type: 'trajectory',
        config: { calls: [{ tool: 'ok' }], allow_extra: true, forbidden: ['drop'] },
      }),
    },
  };
}

export async function makeSuite(
  runtime: Runtime,
  org: Organisation,
  shape: SuiteShape,
  random: Random,
): Promise<SuiteFixture> {
  const { apiKey, project, scorers } = org;
  const isRuled = shape.isPlain !== true && random.chance(0.5);
  const body = {
    name: shape.name,
    pass_threshold: shape.passThreshold ?? 0.5,
    keep_outputs: random.pick(['failed', 'all', 'none']),
    gates: { ...(isRuled && drawGates(random)), ...shape.gates },
  };
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
    const unjudged = shape.isTraced?.(index) ? scorers.calls : scored;
    const scorer_id = shape.isJudged(index) ? scorers.judge : unjudged;
    // The first case always gates.
    const rules = isRuled && index > 0 ? drawCaseRules(random, runtime.now()) : {};
    return { id: runtime.newId(), name, input: { name }, scorer_id, expected: null, ...rules };
  });
  return { org, suite, shape, caseIds, caseNames };
}
