import { expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { type Gate, makeGate } from './gate.ts';

const url = sharedServiceUrl();

const runOf = async ({ client }: Gate, id: string) => (await client('GET', `/v1/runs/${id}`)).body.data;
const listed = async ({ client, suite }: Gate) =>
  (await client('GET', `/v1/suites/${suite.id}/runs`)).body.data;

test('a run names its suite as it is called now, by its id and in the list', async () => {
  const gate = await makeGate(url, { name: 'Before' });
  await gate.add({});
  const { id } = await gate.run('ok');
  const { slug, project_id } = gate.suite;
  expect(project_id).toBe(gate.project.id);
  const named = (name: string) => ({ slug, name, project_slug: gate.project.slug });
  expect((await runOf(gate, id)).suite).toEqual(named('Before'));
  await gate.client('PATCH', `/v1/projects/${gate.project.slug}/suites/${slug}`, { name: 'After' });
  expect((await runOf(gate, id)).suite).toEqual(named('After'));
  expect(await listed(gate)).toEqual([await runOf(gate, id)]);
});
