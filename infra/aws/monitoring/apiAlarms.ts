import type { AlarmDefinition } from './alarm.ts';

export const API_ALARMS: readonly AlarmDefinition[] = [
  {
    title: 'API errors',
    impact: 'Callers get 5xx answers: gates fail whose candidates have no fault.',
    metric: 'serverErrors',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Share of 4xx answers',
    impact:
      'At least half of all requests get a 4xx answer. If the functions reject the edge, no request is served.',
    metric: 'refusedPercent',
    threshold: 50,
    periods: 2,
  },
  {
    title: 'API latency',
    impact:
      'The slowest twentieth of the requests that wait for no model take longer than a second: pipelines slow down.',
    metric: 'durationMs',
    threshold: 1_000,
    periods: 3,
  },
  {
    title: 'API throttles',
    impact:
      'The API gets more requests than it may pass on: all customers get 429, those within their limits too.',
    metric: 'refusedByGateway',
    threshold: 10,
    periods: 1,
  },
  {
    title: 'Function throttles',
    impact: "The account's concurrent executions are used up: requests fail and runs wait.",
    metric: 'functionThrottles',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Table throttles',
    impact: 'The table refuses reads or writes: requests are slow or fail, and evaluations are repeated.',
    metric: 'tableThrottles',
    threshold: 50,
    periods: 2,
  },
  {
    title: 'Uncounted requests',
    impact: 'Requests pass without being counted: the service is up, but no address is held to its limit.',
    metric: 'uncounted',
    threshold: 5,
    periods: 1,
  },
];
