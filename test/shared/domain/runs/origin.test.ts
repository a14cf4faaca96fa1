import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../../support/seed.ts';
import type { Credential } from '../../../../shared/contracts/base/credentials.ts';
import { originOf } from '../../../../shared/domain/runs/origin.ts';

const KEY: Credential = { type: 'api_key', key_id: 'k', label: 'CI' };
const job = (claims: object): Credential => ({
  type: 'github_actions',
  registration_id: 'r',
  repository: 'octo/bot',
  repository_id: '1',
  repository_owner_id: '2',
  actor: 'octocat',
  workflow: 'gate.yml',
  run_id: '3',
  label: 'octo',
  ref: 'refs/heads/main',
  event_name: 'push',
  ...claims,
});

const of = (trigger_meta: Record<string, unknown>, created_by: Credential = KEY, defaultRef?: string) =>
  originOf({ created_by, trigger_meta }, defaultRef);
const branch = (name: string, is_default_branch: boolean) => ({
  branch: name,
  pull_request: null,
  is_default_branch,
});
const pull = (pull_request: string | null) => ({ branch: null, pull_request, is_default_branch: false });
const UNKNOWN = pull(null);
const UNNAMED = { ...UNKNOWN, is_default_branch: true };

test.each([
  [{}, UNNAMED],
  [{ sha: '8f2c1aa', branch: '', pr: null, pull_request: false }, UNNAMED],
  [{ branch: 'main' }, branch('main', true)],
  [{ ref: 'refs/heads/master' }, branch('master', true)],
  [{ branch: 'main', ref: 'refs/heads/main', event: 'push' }, branch('main', true)],
  [{ branch: 'feature/x' }, branch('feature/x', false)],
  [{ ref: 'refs/tags/main' }, branch('refs/tags/main', false)],
  [{ branch: 'Main' }, branch('Main', false)],
  [{ pr: 417 }, pull('417')],
  [{ pr: '#417', branch: 'main' }, pull('417')],
  [{ pull_request: '417', pr: '417' }, pull('417')],
  [{ ref: 'refs/pull/417/merge', branch: 'main' }, pull('417')],
  [{ ref: '417/merge' }, pull('417')],
  [{ pr: '417', ref: 'refs/pull/417/head' }, pull('417')],
])('a run that states %j of itself is of that branch or pull request', (meta, expected) => {
  expect(of(meta)).toEqual(expected);
});

test.each([
  { pull_request: { number: 7 }, branch: 'main' },
  { pr: 'false', branch: 'main' },
  { pr: true, branch: 'main' },
  { pr: '7', pull_request: '8', branch: 'main' },
  { branch: ['main'] },
  { branch: { name: 'main' } },
  { head_ref: 'feature', ref: 'refs/heads/main' },
  { branch: 'main', ref: 'refs/heads/feature' },
  { event: 'pull_request_target', ref: 'refs/heads/main' },
  { event: 'workflow_run', branch: 'main' },
  { event: ['push'], branch: 'main' },
  { event: 'workflow_run' },
  { branch: 'm'.repeat(1_025) },
])('a run that states %j, which is unreadable or contradicts itself, is never the default branch', (meta) => {
  expect(of(meta)).toEqual(UNKNOWN);
});

const MAIN = { branch: 'main', ref: 'refs/heads/main', event: 'push' };
test.each([
  [{ ref: 'refs/pull/7/merge', event_name: 'pull_request' }, pull('7')],
  [{ ref: 'refs/pull/7/merge', event_name: 'push' }, pull('7')],
  [{ event_name: 'pull_request_target', head_ref: 'main' }, UNKNOWN],
  [{ event_name: 'workflow_run' }, UNKNOWN],
  [{ event_name: undefined }, UNKNOWN],
  [{ ref: 'refs/heads/feature' }, branch('feature', false)],
  [
    { ref: 'refs/heads/gh-readonly-queue/main/pr-7-ab', event_name: 'merge_group' },
    branch('gh-readonly-queue/main/pr-7-ab', false),
  ],
])('a job with the claims %j is what they prove, though the run names main', (claims, expected) => {
  expect(of(MAIN, job(claims))).toEqual(expected);
});

test('a job of an event that is of no branch may name its own pull request, and nothing better', () => {
  expect(of({ ...MAIN, pr: '7' }, job({ event_name: 'workflow_run' }))).toEqual(pull('7'));
  expect(of({ pr: '7', branch: 'feature' }, job({}))).toEqual(branch('main', true));
});

test('the registered branch is the only default one', () => {
  const trunk = 'refs/heads/trunk';
  expect(of({ branch: 'trunk' }, KEY, trunk)).toEqual(branch('trunk', true));
  expect(of({ ref: trunk }, KEY, trunk)).toEqual(branch('trunk', true));
  expect(of({ branch: 'main' }, KEY, trunk)).toEqual(branch('main', false));
  expect(of({}, KEY, trunk)).toEqual(UNNAMED);
  expect(of(MAIN, job({ ref: trunk }), trunk)).toEqual(branch('trunk', true));
});

test('no metadata makes a job of a pull request, or of another branch, one of the default branch', () => {
  const names = fc.constantFrom('branch', 'ref', 'head_ref', 'pr', 'pull_request', 'event', 'base_ref');
  const values = fc.oneof(
    fc.constantFrom('main', 'refs/heads/main', 'push', '', null, false),
    fc.jsonValue(),
  );
  const claims = fc.constantFrom(
    { ref: 'refs/pull/7/merge', event_name: 'pull_request' },
    { ref: 'refs/heads/feature', event_name: 'push' },
    { ref: 'refs/heads/main', event_name: 'pull_request_target' },
  );
  fc.assert(
    fc.property(fc.dictionary(names, values), claims, (meta, ofJob) => {
      expect(of(meta, job(ofJob)).is_default_branch).toBe(false);
    }),
  );
});

const ciJob = (claims: object): Credential => ({
  type: 'ci_job',
  registration_id: 'r',
  provider: 'gitlab',
  issuer: 'https://gitlab.com',
  subject: '20',
  name: 'g/p',
  label: 'g/p',
  ref: 'refs/heads/main',
  event_name: 'push',
  ...claims,
});

test.each([
  [{}, {}, branch('main', true)],
  [{ event_name: 'schedule', ref: 'refs/heads/dev' }, {}, branch('dev', false)],
  [{ event_name: 'push' }, { pull_request: '7', branch: 'feature' }, branch('main', true)],
  [{ event_name: 'merge_request_event', ref: 'refs/merge-requests/7/head' }, {}, pull('7')],
  [
    { event_name: 'merge_request_event', ref: 'refs/merge-requests/7/head' },
    { pull_request: '8' },
    pull('7'),
  ],
  [{ event_name: 'merge_request_event' }, { pull_request: '7' }, pull('7')],
  [{ event_name: 'trigger' }, {}, UNKNOWN],
  [{ provider: 'circleci', event_name: undefined }, {}, branch('main', true)],
  [{ provider: 'circleci', event_name: undefined }, { pull_request: '7' }, pull('7')],
  [{ provider: 'buildkite', event_name: 'webhook', ref: 'feature' }, {}, branch('feature', false)],
])(
  'a run of another system’s job with %j that states %j is of that branch or pull request',
  (claims, meta, expected) => {
    expect(of(meta, ciJob(claims))).toEqual(expected);
  },
);
