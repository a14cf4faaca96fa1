import { describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../../clients/api/document.ts';
import { docsPage } from '../../../clients/docs/page.ts';

const document = openApiDocument();
const page = docsPage(document);
const idsIn = (text: string): string[] => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the page of the documentation', () => {
  test('has an anchor for each operation and each schema, and no anchor twice', () => {
    const ids = idsIn(page);
    expect(ids).toEqual(expect.arrayContaining(operations.map(({ operationId }) => operationId)));
    expect(ids).toEqual(
      expect.arrayContaining(Object.keys(document.components.schemas).map((name) => `schema-${name}`)),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('links to anchors of its own and files of the service only', () => {
    const targets = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
    const ids = new Set(idsIn(page));
    for (const target of new Set(targets)) {
      if (target.startsWith('#')) expect(ids).toContain(target.slice(1));
      else
        expect([
          '/openapi.json',
          '/client/evalgate.tgz',
          '/guides',
          '/docs.css',
          '/docs.js',
          'data:,',
        ]).toContain(target);
    }
  });

  test('has no script but its search, no style of its own and no handler', () => {
    expect(page.replace('<script src="/docs.js" defer></script>', '')).not.toMatch(
      /<script|<style|<iframe|<object| style="| on[a-z]+="/i,
    );
  });

  test('names each parameter, each error and each sample of each operation', () => {
    for (const operation of operations) {
      const { operationId, parameters = [], responses, 'x-codeSamples': samples = [] } = operation;
      const section = page.split(`<h3 id="${operationId}">`)[1]?.split('</section>')[0] ?? '';
      for (const { name } of parameters) expect(section).toContain(`<code>${name}</code>`);
      for (const { 'x-error-codes': codes = [] } of Object.values(responses))
        for (const code of codes) expect(section).toContain(`href="#error-${code}"`);
      expect(section.split('<pre>')).toHaveLength(samples.length + 1);
    }
  });

  test('shows all that the document holds as text', () => {
    const hostile = `</code><script>alert(1)</script><img src=x onerror="alert(1)">&amp;'`;
    const said = JSON.parse(JSON.stringify(document).replaceAll('How long can I return it?', 'HOSTILE'));
    const altered = JSON.parse(
      JSON.stringify({
        ...said,
        info: { ...said.info, title: 'HOSTILE', description: '## HOSTILE\n\n`HOSTILE`' },
      })
        .replaceAll('The outputs', 'HOSTILE')
        .replaceAll('HOSTILE', JSON.stringify(hostile).slice(1, -1)),
    );
    const shown = docsPage(altered);
    expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(shown.match(/<script|<img/g)).toHaveLength(1);
  });
});
