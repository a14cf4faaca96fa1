import { expect, test } from '@jest/globals';
import type { ProjectStore, SuiteStore } from '../../../../shared/domain/suites/ports.ts';
import { resolveSuite } from '../../../../shared/domain/suites/resolveSuite.ts';
import type { ProjectHead, SuiteHead } from '../../../../shared/domain/suites/stored.ts';
import { principalOf } from '../../storage/stored.ts';

const ORG = '0b0c0d0e-0000-4000-8000-000000000001';
const ANYONE = principalOf(ORG);

const headIn = (projectId: string, fields: Partial<SuiteHead> = {}): SuiteHead => ({
  suiteId: `suite-of-${projectId}`,
  slug: 'answers',
  projectId,
  projectSlug: `slug-${projectId}`,
  position: { n: 1, token: '' },
  runCount: 0,
  defaultRun: 0,
  lastRunAt: null,
  ...fields,
});

/** Stores that hold these suites, in projects that live under these ids. */
function world(heads: readonly SuiteHead[], liveProjects: readonly string[]) {
  const asked: string[] = [];
  const removed: string[] = [];
  const projects = {
    async head(_orgId: string, slug: string): Promise<ProjectHead | undefined> {
      const id = liveProjects.find((live) => `slug-${live}` === slug);
      return id === undefined ? undefined : { id, slug, position: { n: 1, token: '' } };
    },
  } as Partial<ProjectStore> as ProjectStore;
  const suites = {
    async headsOfSlug(orgId: string, slug: string) {
      asked.push(`${orgId}/${slug}`);
      return heads.filter((head) => head.slug === slug);
    },
    async removeHead(_orgId: string, head: SuiteHead) {
      removed.push(head.suiteId);
    },
  } as Partial<SuiteStore> as SuiteStore;
  return { deps: { projects, suites }, asked, removed };
}

const found = async (deps: ReturnType<typeof world>['deps'], wanted: object, principal = ANYONE) =>
  (await resolveSuite(deps, principal, { suite: 'answers', ...wanted })).head.suiteId;

test('the one existing suite of the slug is chosen', async () => {
  const { deps } = world([headIn('a'), headIn('b', { slug: 'other' })], ['a', 'b']);
  expect(await found(deps, {})).toBe('suite-of-a');
});

test('several are refused with the project as the field and all their slugs in the sentence', async () => {
  const { deps } = world([headIn('a'), headIn('b'), headIn('c')], ['a', 'b', 'c']);
  await expect(found(deps, {})).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'project', message: expect.stringMatching(/slug-a.*slug-b.*slug-c/) }] },
  });
});

test('the project chooses among several', async () => {
  const { deps } = world([headIn('a'), headIn('b')], ['a', 'b']);
  expect(await found(deps, { project: 'slug-b' })).toBe('suite-of-b');
  await expect(found(deps, { project: 'slug-c' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a suite of a dead project does not count and is cleared away', async () => {
  const { deps, removed } = world([headIn('dead'), headIn('live')], ['live']);
  expect(await found(deps, {})).toBe('suite-of-live');
  expect(removed).toEqual(['suite-of-dead']);
});

test('a project made again under the slug of a dead one does not bring its suites back', async () => {
  const { deps, removed } = world([headIn('old', { projectSlug: 'slug-new' })], ['new']);
  await expect(found(deps, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(removed).toEqual(['suite-of-old']);
});

test('a key that is bound to a project sees its suite only, and never an ambiguity', async () => {
  const { deps } = world([headIn('a'), headIn('b')], ['a', 'b']);
  const bound = { ...ANYONE, projectId: 'b' };
  expect(await found(deps, {}, bound)).toBe('suite-of-b');
  await expect(found(deps, { project: 'slug-a' }, bound)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each(['', 'A', 'a#b', '-a', 'ä', 'a b', 'a'.repeat(101), '\u0000'])(
  '%j is no slug: not found without asking the store',
  async (suite) => {
    const { deps, asked } = world([headIn('a', { slug: suite })], ['a']);
    await expect(found(deps, { suite })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(asked).toEqual([]);
  },
);
