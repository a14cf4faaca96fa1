import { expect, test } from '@jest/globals';
import { refuseRuns } from '../../../../shared/domain/baseline/acceptable.ts';
import type { Job } from '../../../../shared/domain/principal.ts';
import type { StoredRun } from '../../../../shared/domain/runs/ports.ts';

const JOB = { type: 'github_actions', repository_id: '7', ref: 'refs/heads/main', event_name: 'push' };
const passed = { gate: 'pass_rate', status: 'passed' };
const RUN = {
  id: 'run_1',
  suite_id: 's',
  status: 'cleared',
  inconclusive: false,
  isSingle: false,
  errored_cases: 0,
  suite_digest: 'sha256:a',
  created_by: JOB,
  verdict: { gates: [passed] },
};
type Fields = Partial<Record<keyof typeof RUN, unknown>>;

/** Why the last of the runs is refused, by a person and by a job. Null: it is accepted. */
function refusals(fields: Fields, by: object = JOB): (string | null)[] {
  return [undefined, by as Job].map((job) => {
    const runs = [
      { ...RUN, created_by: by },
      { ...RUN, ...fields, id: 'run_2' },
    ] as unknown as StoredRun[];
    try {
      refuseRuns(runs, { suiteId: 's', job });
      return null;
    } catch (error) {
      const { issues } = (error as { details: { issues: { path: string; message: string }[] } }).details;
      expect(issues.map(({ path }) => path)).toEqual(['run_ids.1']);
      return issues[0]?.message.replace('run_2 ', '') ?? '';
    }
  });
}

const byJob = (by: object) => ({ created_by: { ...JOB, ...by } });
const gates = (...all: [gate: string, status: string][]) => ({
  verdict: { gates: all.map(([gate, status]) => ({ gate, status })) },
});
const NO_JOB = "was not made by a job of this job's repository";

test.each<[string, Fields, string | null, string | null]>([
  ['as it is due', {}, null, null],
  ['of another suite', { suite_id: 't' }, 'is of another suite', 'is of another suite'],
  ['that is pending', { status: 'pending' }, 'is pending', 'is pending'],
  ['that was not judged', { verdict: null }, 'could not be evaluated', 'could not be evaluated'],
  ['of another bar', { suite_digest: 'sha256:b' }, 'was judged by another bar', 'was judged by another bar'],
  ['of another kind', { isSingle: true }, 'has one output', 'has one output'],
  ['inconclusive by itself', gates(['pass_rate', 'inconclusive']), 'is inconclusive', 'is inconclusive'],
  [
    'inconclusive beside a failed gate',
    gates(['pass_rate', 'failed'], ['must_pass', 'inconclusive']),
    null,
    null,
  ],
  [
    'inconclusive by comparison alone',
    gates(['pass_rate', 'passed'], ['regression', 'inconclusive']),
    null,
    null,
  ],
  ['inconclusive by the other gate', gates(['max_newly_failing', 'inconclusive']), null, null],
  ['that was aborted', { status: 'aborted' }, null, 'was not cleared'],
  ['with one errored case', { errored_cases: 1 }, null, 'has cases that ended in an error'],
  ['of an API key', { created_by: { type: 'api_key', key_id: 'k' } }, null, NO_JOB],
  ['of another repository', byJob({ repository_id: '8' }), null, NO_JOB],
  ['of a repository without an id', byJob({ repository_id: undefined }), null, NO_JOB],
  [
    'of another branch',
    byJob({ ref: 'refs/heads/b' }),
    null,
    'was made on refs/heads/b, not on refs/heads/main',
  ],
  ['of an unknown branch', byJob({ ref: undefined }), null, 'was made on a ref that is not known'],
  ['of a schedule', byJob({ event_name: 'schedule' }), null, null],
  ['of a dispatch', byJob({ event_name: 'workflow_dispatch' }), null, null],
  ['of a pull request', byJob({ event_name: 'pull_request' }), null, 'of the event pull_request'],
  ['of an unknown event', byJob({ event_name: undefined }), null, 'of the event that is not known'],
])('a run %s is accepted by whom it may', (_, fields, byPerson, bySelf) => {
  const due = [byPerson, bySelf].map((why) => (why === null ? null : expect.stringContaining(why)));
  expect(refusals(fields)).toEqual(due);
});

const GITLAB_JOB = {
  type: 'ci_job',
  provider: 'gitlab',
  issuer: 'https://gitlab.com',
  subject: '7',
  ref: 'refs/heads/main',
  event_name: 'push',
};
const byGitlab = (by: object) => ({ created_by: { ...GITLAB_JOB, ...by } });
const NO_PROJECT = "was not made by a job of this job's project";

test.each<[string, Fields, string | null]>([
  ['of its project', byGitlab({}), null],
  ['of its project by a schedule', byGitlab({ event_name: 'schedule' }), null],
  ['of the repository that has the number of its project', byJob({}), NO_PROJECT],
  [
    'of the project of that number at another issuer',
    byGitlab({ issuer: 'https://git.example.com' }),
    NO_PROJECT,
  ],
  ['of another project', byGitlab({ subject: '8' }), NO_PROJECT],
  ['of another system under that number', byGitlab({ provider: 'other' }), NO_PROJECT],
  [
    'of another branch',
    byGitlab({ ref: 'refs/heads/b' }),
    'was made on refs/heads/b, not on refs/heads/main',
  ],
  ['of a merge request', byGitlab({ event_name: 'merge_request_event' }), 'of the event merge_request_event'],
  [
    'of a dispatch of GitHub',
    byGitlab({ event_name: 'workflow_dispatch' }),
    'of the event workflow_dispatch',
  ],
])('a job of GitLab accepts a run %s only if it is its own', (_, fields, why) => {
  expect(refusals(fields, GITLAB_JOB)[1]).toEqual(why === null ? null : expect.stringContaining(why));
});

test('a job without a known ref accepts nothing', () => {
  const unknown = { ...GITLAB_JOB, ref: undefined };
  expect(refusals({ created_by: unknown } as Fields, GITLAB_JOB)[1]).toContain('a ref that is not known');
});
