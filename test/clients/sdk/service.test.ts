import { expect, test } from '@jest/globals';
import { GateNotCleared, NotFoundError, RequestError } from '../../../clients/sdk/index.ts';
import { useGate } from '../gated.ts';

const gated = useGate();

const GOOD = { suite: 'returns', output: 'within 30 days' };

test('run() clears a good answer and names the failures of a bad one', async () => {
  const good = await gated.gate.run(GOOD, { wait: '1m' });
  good.assertCleared();
  const bad = await gated.gate.run({ suite: 'returns', output: 'never' }, { wait: '1m' });
  expect(bad.failures.map((failure) => failure.case).sort()).toEqual(['letter', 'refund', 'window']);
  expect(() => bad.assertCleared()).toThrow(GateNotCleared);
});

test('a run that is answered later has the outcome of one that is answered at once', async () => {
  const bad = { suite: 'returns', output: 'never' };
  const now = await gated.gate.run(bad);
  const later = await gated.gate.run({ ...bad, async: true });
  for (const field of ['status', 'pass_rate', 'total_cases', 'failed_cases', 'verdict'] as const) {
    expect(later[field]).toEqual(now[field]);
  }
  const sorted = ({ failures }: typeof now) =>
    failures.map((failure) => [failure.key, failure.score, failure.reason]).sort();
  expect(sorted(later)).toEqual(sorted(now));
  expect(await gated.gate.wait(later.id, { wait: 0 })).toMatchObject({ id: later.id, status: 'aborted' });
});

test('an error of the service keeps its own words', async () => {
  const unknown = await gated.gate.suites.get('bot', 'no-such').catch((error) => error);
  expect(unknown).toBeInstanceOf(NotFoundError);
  expect(unknown).toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'No such suite.' });
  const invalid = await gated.gate.projects.create({ name: '' }).catch((error) => error);
  expect(invalid).toBeInstanceOf(RequestError);
  expect(invalid.details.issues).toMatchObject([{ path: 'name' }]);
});

test('a resource is listed, changed and deleted', async () => {
  const { slug } = await gated.gate.projects.create({ name: 'Short-lived' });
  const slugs = [];
  for await (const project of gated.gate.projects.list({ pageSize: 1 })) slugs.push(project.slug);
  expect(slugs.toSorted()).toEqual(['bot', slug]);
  expect(await gated.gate.projects.update(slug, { name: 'Still there' })).toMatchObject({
    name: 'Still there',
  });
  expect(await gated.gate.projects.delete(slug)).toBeUndefined();
  expect(await gated.gate.health.get()).toMatchObject({ status: 'ok' });
});
