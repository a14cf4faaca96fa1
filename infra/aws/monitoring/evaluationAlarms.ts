import { PENDING_SHARDS } from '../../../shared/storage/table/keys.ts';
import type { AlarmDefinition } from './alarm.ts';

/** One a minute for each shard; schedules are some seconds early or late. */
const SWEEPS_MIN = PENDING_SHARDS * 5 - 4;

export const EVALUATION_ALARMS: readonly AlarmDefinition[] = [
  {
    title: 'Evaluation queue age',
    impact: 'Accepted runs wait longer than 15 minutes for their evaluation: asynchronous gates stay open.',
    metric: 'queueAgeSeconds',
    threshold: 900,
    periods: 2,
  },
  {
    title: 'Evaluation failures',
    impact:
      'Messages of runs fail and are delivered again: verdicts are late. Runs that keep failing are aborted.',
    metric: 'evaluationFailures',
    threshold: 10,
    periods: 2,
  },
  {
    title: 'Dead letters',
    impact: 'Messages failed for good and are not consumed: their runs end late, without a verdict.',
    metric: 'deadLetters',
    threshold: 1,
    periods: 3,
  },
  {
    title: 'Runs given up',
    impact: 'The sweeper aborted runs that no evaluator worked on: their gates stay closed without a result.',
    metric: 'runsGivenUp',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Pending runs not swept',
    impact: 'The sweeper cannot check some pending runs: they may stay pending.',
    metric: 'runsUnswept',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Sweeps missing',
    impact: 'The sweeper does not run for all shards: a run whose message is lost stays pending.',
    metric: 'sweeps',
    threshold: SWEEPS_MIN,
    when: 'below',
    periods: 2,
    missingIsBad: true,
  },
  {
    title: 'Worker errors',
    impact: 'Sweeps, longer retention after upgrades or the handling of dead letters fail.',
    metric: 'workerErrors',
    threshold: 3,
    periods: 2,
  },
  {
    title: 'Purge failures',
    impact: 'What customers deleted is not dropped: it is invisible, but still stored.',
    metric: 'purgeFailures',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Share of judge failures',
    impact:
      'Providers give no verdict on at least a fifth of the judged cases: their gates stay closed, inconclusive.',
    metric: 'unjudgedPercent',
    threshold: 20,
    periods: 2,
  },
];
