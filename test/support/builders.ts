import type { Api, ApiAnswer } from './api.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Resource = any;
type Fields = Readonly<Record<string, unknown>>;

function created(answer: ApiAnswer): Resource {
  if (answer.status !== 201) throw new Error(`creating: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

export async function makeProject(client: Api, fields: Fields = {}): Promise<Resource> {
  return created(await client('POST', '/v1/projects', { name: 'A project', ...fields }));
}

export async function makeSuite(client: Api, project: { slug: string }, fields: Fields = {}) {
  const path = `/v1/projects/${project.slug}/suites`;
  return created(await client('POST', path, { name: 'A suite', ...fields }));
}

/** An `exact_match` scorer by default. */
export async function makeScorer(client: Api, project: { slug: string }, fields: Fields = {}) {
  const path = `/v1/projects/${project.slug}/scorers`;
  return created(
    await client('POST', path, { name: 'A scorer', type: 'exact_match', config: {}, ...fields }),
  );
}

export async function makeCase(
  client: Api,
  suite: { id: string },
  scorer: { id: string },
  fields: Fields = {},
): Promise<Resource> {
  const path = `/v1/suites/${suite.id}/cases`;
  return created(await client('POST', path, { name: 'A case', input: {}, scorer_id: scorer.id, ...fields }));
}
