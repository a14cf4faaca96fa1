import { describe, expect, test } from '@jest/globals';
import { repetitionOf } from '../../../../shared/domain/reliability/repetition.ts';

const JOB = {
  type: 'github_actions',
  label: 'octo/bot push.yml',
  registration_id: '0b7a1f6e-3a86-4d3e-9b9c-0a8d5f1f2d11',
  repository: 'octo/bot',
  repository_id: '1',
  repository_owner_id: '2',
  actor: 'ada',
  event_name: 'push',
  ref: 'refs/heads/main',
  sha: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
  workflow: 'gate.yml',
  run_id: '10',
  run_attempt: '1',
} as const;
const RUN = {
  createdBy: JOB,
  triggerMeta: { job: 'gate', leg: null },
  verdict: {
    suite_digest: `sha256:${'a'.repeat(64)}`,
    outputs_digest: `sha256:${'b'.repeat(64)}`,
    advisory_cases: 0,
  },
  suiteRevision: { baseline: null, settings: { gates: {} } },
};
const judgedAs = (fields: object): Run => ({ ...RUN, verdict: { ...RUN.verdict, ...fields } });
/** With another baseline. */
const against = (gates: object) => ({ ...RUN, suiteRevision: { baseline: 'token', settings: { gates } } });
type Run = Parameters<typeof repetitionOf>[0];
const by = (fields: object): Run => ({ ...RUN, createdBy: { ...JOB, ...fields } });
const gateOf = (run: Run): string | undefined => repetitionOf(run)?.gate;

describe('a run is in no pair', () => {
  test.each<[string, Run]>([
    ['of an API key', { ...RUN, createdBy: { type: 'api_key', key_id: JOB.registration_id, label: 'CI' } }],
    ['of a pull request', by({ event_name: 'pull_request' })],
    ['of a job that a person starts', by({ event_name: 'workflow_dispatch' })],
    ['of an event that is not known', by({ event_name: undefined })],
    ['of a job that ran again', by({ run_attempt: '2' })],
    ['of a job without an attempt', by({ run_attempt: undefined })],
    ['without a bar', judgedAs({ suite_digest: null })],
    ['without outputs', judgedAs({ outputs_digest: null })],
  ])('%s', (_, run) => {
    expect(repetitionOf(run)).toBeUndefined();
  });
});

describe('two runs are of different gates', () => {
  test.each<[string, Run]>([
    ['where the bar differs', judgedAs({ suite_digest: `sha256:${'c'.repeat(64)}` })],
    ['where the baseline differs that a gate compares with', against({ regression: {} })],
    ['where an advisory has ended meanwhile', judgedAs({ advisory_cases: 1 })],
    ['where the repository differs, whatever its name', by({ repository_id: '3' })],
    ['where the workflow differs', by({ workflow: 'nightly.yml' })],
    ['where the job differs', { ...RUN, triggerMeta: { job: 'other', leg: null } }],
    ['where the leg differs', { ...RUN, triggerMeta: { job: 'gate', leg: 'node-24' } }],
  ])('%s', (_, run) => {
    expect(gateOf(run)).toMatch(/^[0-9a-f]{8}$/);
    expect(gateOf(run)).not.toBe(gateOf(RUN));
  });
});

test('a baseline that no gate compares with parts no two runs', () => {
  expect(gateOf(against({ must_pass: true }))).toBe(gateOf(RUN));
});

test.each(['push', 'merge_group', 'schedule'])(
  'a run of the event %s counts; only a clock’s is a second one',
  (event_name) => {
    expect(repetitionOf(by({ event_name, run_id: '11', actor: 'grace' }))).toMatchObject({
      gate: gateOf(RUN),
      workflowRunId: '11',
      isScheduled: event_name === 'schedule',
      outputs: 'b'.repeat(16),
    });
  },
);
