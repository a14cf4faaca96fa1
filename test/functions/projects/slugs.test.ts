import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SLUG_LENGTH_MAX, slugSchema } from '../../../shared/contracts/base/common.ts';
import { slugOf } from '../../../shared/domain/suites/slugs.ts';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid, expectNoContent } from '../../support/expectations.ts';

let client: Api;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
});

const create = (body: unknown) => client('POST', '/v1/projects', body);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 150 }),
);

describe('a generated slug', () => {
  test.each([
    ['Support Bot', 'support-bot'],
    ['Crème brûlée!', 'creme-brulee'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Привет мир', 'privet-mir'],
    ['  --a__b.c  ', 'a-b-c'],
    ['ﬁnal ① test', 'final-1-test'],
    ['İstanbul', 'istanbul'],
    ['日本語', 'ribenyu'],
    ['हिन्दी', 'hindi'],
    ['বাংলা ২', 'bamla-2'],
    ['क्‍ष', 'ks'],
    ['ガイド ﾄﾞｲﾂ', 'gaido-doitsu'],
    ['Йод', 'yod'],
    ['Ольга', 'olga'],
    ['Tiếng Việt', 'tieng-viet'],
    ['🎉', 'project'],
    ['a👩‍💻b ❤️ c', 'a-b-c'],
    ['مشروع 7', 'mshrw-7'],
    ['../../etc/passwd', 'etc-passwd'],
  ])('of %j is %s', async (name, slug) => {
    const own = await signUp(sharedServiceUrl());
    expect((await makeProject(own, { name })).slug).toBe(slug);
  });

  test('is the same however a name is composed', async () => {
    const letter = fc.integer({ min: 0xc0, max: 0xffdc }).map((code) => String.fromCharCode(code));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: letter, maxLength: 20 }), async (name) => {
        const slugs = [name.normalize('NFC'), name.normalize('NFD')].map((form) => slugOf(form, 'fallback'));
        const [composed, decomposed] = await Promise.all(slugs);
        expect(decomposed).toBe(composed);
        expect(slugSchema.safeParse(composed).success).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('of any name is one that is accepted, with room for a suffix, or the fallback', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (name) => {
        const slug = await slugOf(name, 'fallback');
        expect(slugSchema.safeParse(slug).success).toBe(true);
        expect(slug.length).toBeLessThanOrEqual(SLUG_LENGTH_MAX - '-1234567'.length);
        if (!/[\p{L}\p{N}]/u.test(name.normalize('NFKD'))) expect(slug).toBe('fallback');
        expect(await slugOf(slug, 'other')).toBe(slug);
      }),
      { numRuns: 500 },
    );
  });

  test('differs from that of another project of the same name, and finds its own project', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (name) => {
        const [one, two] = await Promise.all([create({ name }), create({ name })]);
        if (one.status === 400) {
          expectInvalid(one, 'name');
          return expectInvalid(two, 'name');
        }
        expect([one.status, two.status]).toEqual([201, 201]);
        expect(one.body.data.slug).not.toBe(two.body.data.slug);
        for (const { data } of [one.body, two.body]) {
          expect((await client('GET', `/v1/projects/${data.slug}`)).body.data).toEqual(data);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('stays within 100 characters however many have the name', async () => {
    const name = 'x'.repeat(200);
    const slugs: string[] = [];
    for (let count = 0; count < 7; count++) slugs.push((await makeProject(client, { name })).slug);
    expect(new Set(slugs).size).toBe(7);
    for (const slug of slugs) expect(slugSchema.parse(slug)).toMatch(/^x{92}/);
  });
});

describe('a slug that is taken', () => {
  test('is refused when it was given, and gets a suffix when it was not', async () => {
    await makeProject(client, { name: 'Taken' });
    expectInvalid(await create({ name: 'Other', slug: 'taken' }), 'slug');
    expect((await makeProject(client, { name: 'Taken' })).slug).toBe('taken-2');
    expect((await makeProject(client, { name: 'Taken' })).slug).toBe('taken-3');
  });

  test('is free for another organisation', async () => {
    await makeProject(client, { slug: 'ours' });
    const stranger = await signUp(sharedServiceUrl());
    expect((await makeProject(stranger, { slug: 'ours' })).slug).toBe('ours');
  });

  test('is free again when its project was deleted', async () => {
    const old = await makeProject(client, { slug: 'freed' });
    expectNoContent(await client('DELETE', '/v1/projects/freed'));
    const fresh = await makeProject(client, { slug: 'freed', name: 'Fresh' });
    expect(fresh.id).not.toBe(old.id);
    expect((await client('GET', '/v1/projects/freed')).body.data).toEqual(fresh);
  });
});
