import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { readIn } from '../suites/repository.ts';
import { aGate, aPlace, type Gated, type Place } from './cli.ts';

const url = sharedServiceUrl();
let gated: Gated;
let place: Place;
beforeAll(async () => {
  gated = await aGate(url);
  place = aPlace();
});
afterAll(() => place.remove());

test('init writes a template as the suite that the service makes of it, and validate takes it', async () => {
  const { gate } = gated;
  const templates = await gate.templates.list();
  expect(templates).toHaveLength(6);
  for (const { slug } of templates) {
    const made = await gate.suites.createFromTemplate('bot', { template_slug: slug });
    const cases = (await gate.cases.list(made.id).page()).data;
    const { code } = await place.cli(['init', '--template', slug, `own-${slug}`]);
    const { suites, messages } = await readIn(place.folder, [`evals/own-${slug}.suite.yaml`]);
    expect({ code, messages }).toEqual({ code: 0, messages: [] });
    const [read] = suites;
    expect(read?.suite).toMatchObject({
      ...{ slug: `own-${slug}`, name: made.name, description: made.description, pass_threshold: 1 },
    });
    expect(read?.cases).toMatchObject(
      cases.map(({ key, name, description, threshold }) => ({ key, name, description, threshold })),
    );
    const scorers = await Promise.all(cases.map(({ scorer_id }) => gate.scorers.get(scorer_id)));
    expect(read?.cases.map(({ scorer }) => read.scorers.get(scorer))).toMatchObject(
      scorers.map(({ type, config }) => ({ type, config })),
    );
  }
  expect(await place.cli(['validate'])).toMatchObject({ code: 0, stderr: '' });
});

test('what init writes of every template is pushed as the suite that the service makes of it', async () => {
  const { gate, apiKey } = gated;
  await gate.projects.create({ name: 'Pushed', slug: 'pushed' });
  const env = { EVALGATE_URL: url, EVALGATE_API_KEY: apiKey, EVALGATE_PROJECT: 'pushed' };
  const folder = aPlace(env);
  const templates = await gate.templates.list();
  for (const { slug } of templates) {
    await folder.cli(['init', '--template', slug]);
    await gate.suites.createFromTemplate('pushed', { template_slug: slug, slug: `made-of-${slug}` });
  }
  expect(await folder.cli(['push'])).toMatchObject({ code: 0 });
  for (const { slug } of templates) {
    const [own, made] = await Promise.all(
      [slug, `made-of-${slug}`].map((name) => gate.definitions.get('pushed', name)),
    );
    const inputs = (cases: readonly object[] = []) =>
      cases.map((one) => ({ ...one, scorer: expect.any(String), input: expect.any(Object) }));
    expect(own?.definition.cases).toEqual(inputs(made?.definition.cases));
  }
  expect((await folder.cli(['push'])).stderr).toContain('nothing to change');
  folder.remove();
});

test('for an unknown template the error lists the known ones, and nothing is written', async () => {
  const other = aPlace();
  const { code, stderr } = await other.cli(['init', '--template', 'constructor']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/no template constructor\.\nWhich there are: rag-faithfulness, /),
  });
  expect(await other.cli(['validate'])).toMatchObject({ code: 2 });
  other.remove();
});
