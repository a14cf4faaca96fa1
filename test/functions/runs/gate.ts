import type { EvalCase } from '../../../shared/contracts/cases.ts';
import type { Project } from '../../../shared/contracts/projects.ts';
import type { Suite } from '../../../shared/contracts/suites.ts';
import { type Api, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Gate {
  readonly client: Api;
  readonly project: Project;
  readonly suite: Suite;
  /** Runs an output through the suite and answers the verdict. */
  run(output: string, fields?: Fields): Promise<Verdict>;
  /** A scorer of the project and a case with it. */
  add(scorer: Fields, evalCase?: Fields): Promise<EvalCase>;
}

interface Verdict {
  readonly id: string;
  readonly status: string;
  readonly pass_rate: number;
  readonly total_cases: number;
  readonly scores: { case: string; passed: boolean; score: number; threshold: number; reason: string }[];
  readonly failures: { case: string; case_id: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  readonly [field: string]: any;
}

const SAYS_OK = { type: 'contains', config: { values: ['ok'] } };

/** An organisation, a project and an empty suite of its own. */
export async function makeGate(baseUrl: string, suiteFields: Fields = {}, as?: Api): Promise<Gate> {
  const client = as ?? (await signUp(baseUrl));
  const project = await makeProject(client);
  const suite = await makeSuite(client, project, suiteFields);
  return {
    client,
    project,
    suite,
    run: (output, fields) => run(client, { suite: suite.slug, output, ...fields }),
    async add(scorerFields, caseFields) {
      const scorer = await makeScorer(client, project, { ...SAYS_OK, ...scorerFields });
      return makeCase(client, suite, scorer, caseFields);
    },
  };
}

async function run(client: Api, body: Fields): Promise<Verdict> {
  const answer = await client('POST', '/v1/run', body);
  if (answer.status !== 200) throw new Error(`POST /v1/run: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export async function resultsOf(client: Api, runId: string) {
  const answer = await client('GET', `/v1/runs/${runId}/results`);
  if (answer.status !== 200) throw new Error(`results: ${answer.status} ${JSON.stringify(answer.body)}`);
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  return answer.body.data as any[];
}

/** One contains case for each word, that passes when the output holds the word. */
export async function addWordCases(
  { client, project, suite }: Gate,
  words: readonly string[],
  fields: Fields = {},
) {
  const cases: EvalCase[] = [];
  for (const word of words) {
    const scorer = await makeScorer(client, project, { type: 'contains', config: { values: [word] } });
    cases.push(await makeCase(client, suite, scorer, { name: `Says ${word}`, ...fields }));
  }
  return cases;
}
