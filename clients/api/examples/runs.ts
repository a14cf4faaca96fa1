import { type Example, IDS, OF_BAR, OF_RUN, OF_SUITE, PROJECT } from './example.ts';

export const RUNS: readonly Example[] = [
  {
    id: 'runs/create',
    name: 'cleared',
    title: 'One output that all cases see',
    body: { project: 'support-bot', suite: 'returns', output: 'You can return it within 30 days.' },
    status: 200,
    makes: 'clearedRun',
  },
  {
    id: 'runs/create',
    name: 'outputs',
    title: 'An output for each case; this run is aborted',
    headers: { 'Idempotency-Key': '8c1f2a7e-build-4711' },
    body: {
      suite: 'returns',
      outputs: [
        { case: 'return-window', output: 'You can return it within 30 days.' },
        { case: 'opened-box', output: 'Sorry, no.', metadata: { latency_ms: 840 } },
      ],
      trigger: 'github_action',
      trigger_meta: { sha: '8f2c1aa' },
    },
    status: 200,
    makes: 'run',
  },
  {
    id: 'runs/create',
    name: 'async',
    title: 'A run that is evaluated later',
    body: { suite: 'returns', output: 'You can return it within 30 days.', async: true },
    status: 202,
  },
  {
    id: 'runs/create',
    name: 'unknown-suite',
    title: 'A suite that does not exist',
    body: { suite: 'retruns', output: 'You can return it within 30 days.' },
    status: 404,
  },
  {
    id: 'runs/get',
    name: 'one',
    title: 'How it went',
    params: { runId: IDS.run },
    status: 200,
    makes: 'digest',
  },
  {
    id: 'runs/results',
    name: 'failed',
    title: 'What failed',
    params: { runId: IDS.run },
    query: { outcome: 'failed', pageSize: '20' },
    status: 200,
  },
  { id: 'runs/list', name: 'newest', title: 'Of a suite', params: OF_SUITE, status: 200 },
  { id: 'history/revisions', name: 'all', title: 'What judged when', params: OF_SUITE, status: 200 },
  {
    id: 'runs/statement',
    name: 'cleared',
    title: 'Of a run that was cleared',
    params: { runId: IDS.clearedRun },
    status: 200,
  },
  { id: 'runs/statement', name: 'aborted', title: 'Only a cleared run has one', params: OF_RUN, status: 409 },
  { id: 'history/revision', name: 'one', title: 'By its digest', params: OF_BAR, status: 200 },
  { id: 'history/diff', name: 'since', title: 'What has changed since', params: OF_BAR, status: 200 },
  { id: 'history/suiteChanges', name: 'all', title: 'Who changed what', params: OF_SUITE, status: 200 },
  {
    id: 'history/scorerChanges',
    name: 'all',
    title: 'Who changed what',
    status: 200,
    params: { scorerId: IDS.scorer },
  },
  { id: 'history/projectChanges', name: 'all', title: 'Who changed what', params: PROJECT, status: 200 },
  { id: 'history/organisationChanges', name: 'all', title: 'Who changed what', status: 200 },
];

const OF_WAIVED = { runId: IDS.waivedRun };

export const BASELINES: readonly Example[] = [
  {
    id: 'baselines/accept',
    name: 'released',
    title: 'What was released',
    params: OF_SUITE,
    status: 201,
    body: { run_ids: [IDS.run], reason: 'Released as 2.3.0' },
  },
  { id: 'baselines/list', name: 'newest', title: 'Of a suite', params: OF_SUITE, status: 200 },
  { id: 'baselines/get', name: 'current', title: 'The present one', params: OF_SUITE, status: 200 },
  { id: 'comparisons/get', name: 'current', title: 'With the present one', params: OF_RUN, status: 200 },
  {
    id: 'runs/create',
    name: 'reworded',
    title: 'A run that is aborted for its tone',
    status: 200,
    body: {
      suite: 'returns',
      outputs: [
        { case: 'return-window', output: 'Sure thing.' },
        { case: 'opened-box', output: 'Yes, within 30 days.' },
      ],
    },
    makes: 'waivedRun',
    isOfHttp: true,
  },
  {
    id: 'waivers/create',
    name: 'while',
    title: 'For a while',
    params: OF_WAIVED,
    status: 201,
    body: { reason: 'Approved by Ada: the new tone is wanted.', expires_at: IDS.until },
  },
  { id: 'waivers/delete', name: 'one', title: 'Of a run', params: OF_WAIVED, status: 204 },
  { id: 'baselines/remove', name: 'current', title: 'Of a suite', params: OF_SUITE, status: 204 },
];

export const PAID: readonly Example[] = [
  { id: 'analytics/trends', name: 'free', title: 'On the Free plan', params: OF_SUITE, status: 403 },
  { id: 'billing/usage', name: 'month', title: 'The runs of this month', status: 200 },
  { id: 'billing/checkout', name: 'pro', title: 'Buy a plan', body: { plan: 'pro' }, status: 200 },
  {
    id: 'billing/checkoutResult',
    name: 'paid',
    title: 'Back from the checkout',
    params: { result: 'success' },
    status: 200,
  },
  { id: 'billing/portal', name: 'portal', title: 'Change or cancel it', status: 200 },
  {
    id: 'analytics/trends',
    name: 'week',
    title: 'The last seven days',
    params: OF_SUITE,
    query: { days: '7' },
    status: 200,
  },
  {
    id: 'analytics/regressions',
    name: 'latest',
    title: 'Since the run before',
    params: OF_SUITE,
    status: 200,
  },
];
