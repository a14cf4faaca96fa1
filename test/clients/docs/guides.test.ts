import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { guidesPage } from '../../../clients/docs/guides.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';

const made = execFileSync(NODE, [path.join(REPOSITORY_DIR, 'clients/docs/packGuides.ts')], {
  encoding: 'utf8',
});
const ids = [...made.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

describe('the page of the guides', () => {
  test('has no anchor twice, and each of its links leads to an anchor, a file of the service or another site', () => {
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...made.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(300);
    for (const target of new Set(targets)) {
      if (target.startsWith('#')) expect(ids).toContain(target.slice(1));
      else expect(target).toMatch(/^(?:https:\/\/|\/docs$)/);
    }
  });

  test('has the guide of each page of the dashboard', () => {
    const routes = readFileSync(path.join(REPOSITORY_DIR, 'clients/dashboard/app/routes.ts'), 'utf8');
    const guides = [...routes.matchAll(/ guide: '([^']*)'/g)].map(([, guide]) => guide);
    expect(guides).toHaveLength([...routes.matchAll(/ pattern: '/g)].length);
    expect(ids).toEqual(expect.arrayContaining(guides));
  });

  test('loads nothing but its style sheet and its search', () => {
    const sources = [...made.matchAll(/(?:src|<link[^>]* href)="([^"]{0,20})/g)].map(
      ([, source = '']) => source,
    );
    for (const source of sources)
      expect(source).toMatch(/^(?:\/docs\.css|\/docs\.js|data:,|data:image\/png;bas)/);
    expect(made).not.toMatch(/<style|<iframe|<object| style="| on[a-z]+="/i);
  });

  test('shows markup of a guide as text, and leaves no script in an address', () => {
    const markdown =
      '# A <b>title</b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![y](no.png "<i>")\n';
    const page = guidesPage([{ name: 'one', markdown }], () => undefined);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<b>|<i>|javascript:/);
    expect(page.match(/<script/g)).toHaveLength(1);
  });
});
