import { Dashboard, GraphWidget, type IMetric, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { RUNBOOK } from './alarm.ts';
import type { Metrics } from './metrics.ts';

const graph = (title: string, left: IMetric[], right: IMetric[] = []): IWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6, leftYAxis: { min: 0 } });

export function addDashboard(scope: Construct, { name }: Environment, metrics: Metrics): void {
  const rows: IWidget[][] = [
    [
      new TextWidget({
        markdown: `**evalgate ${name}** – what to do about each alarm: \`${RUNBOOK}\``,
        width: 24,
        height: 1,
      }),
    ],
    [
      graph('Requests and errors', [metrics.requests], [metrics.clientErrors, metrics.serverErrors]),
      graph('API latency, ms (p95)', [metrics.durationMs]),
      graph(
        'Refused and uncounted',
        [metrics.refusedByGateway, metrics.uncounted, metrics.functionThrottles],
        [metrics.refusedPercent],
      ),
    ],
    [
      graph('Evaluation queue', [metrics.queueDepth], [metrics.queueAgeSeconds]),
      graph('Failed, unsent and dead messages', [
        metrics.evaluationFailures,
        metrics.unsentMessages,
        metrics.deadLetters,
      ]),
      graph(
        'Pending runs',
        [metrics.runsGivenUp, metrics.runsUnswept, metrics.workerErrors, metrics.purgeFailures],
        [metrics.sweeps],
      ),
    ],
    [
      graph('Judged cases', [metrics.judged], [metrics.unjudgedPercent]),
      graph('Payments', [
        metrics.webhookFailures,
        metrics.providerFailures,
        metrics.duplicateSubscriptions,
        metrics.overageUnreported,
      ]),
      graph('Table consumption, units an hour', [metrics.tableUnits], [metrics.tableThrottles]),
    ],
    [graph('Unexpected errors', [metrics.unexpectedErrors, metrics.issuerFailures])],
  ];
  new Dashboard(scope, 'Dashboard', { dashboardName: `evalgate-${name}`, widgets: rows });
}
