import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { type AlarmDefinition, COMPARISON, descriptionOf, MISSING } from '../monitoring/alarm.ts';
import { ALARMS } from '../monitoring/alarms.ts';
import { addDashboard } from '../monitoring/dashboard.ts';
import { MetricSources, type Watched } from '../monitoring/metricSources.ts';
import { type Metrics, metricsOf } from '../monitoring/metrics.ts';

export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, watched: Watched, props: StackProps) {
    super(scope, id, props);
    const { environment } = watched;
    const metrics = metricsOf(new MetricSources(this, watched));
    const topic = new Topic(this, 'Alarms', {
      displayName: `evalgate ${environment.name}`,
      enforceSSL: true,
    });
    topic.addToResourcePolicy(this.#alarmsMayPublish(topic));
    if (environment.alarmEmail !== undefined) {
      topic.addSubscription(new EmailSubscription(environment.alarmEmail));
    }
    const action = new SnsAction(topic);
    for (const definition of ALARMS) {
      const alarm = this.#alarm(definition, environment, metrics);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    addDashboard(this, environment, metrics);
  }

  /** The TLS-only policy replaces the default one, which lets the account's alarms publish. */
  #alarmsMayPublish({ topicArn }: Topic): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
    });
  }

  #alarm(definition: AlarmDefinition, environment: Environment, metrics: Metrics): Alarm {
    const { title, metric, threshold, periods, when = 'at_least', missingIsBad } = definition;
    return new Alarm(this, title.replaceAll(/\W/g, ''), {
      alarmName: `evalgate-${environment.name}: ${title}`,
      alarmDescription: descriptionOf(definition),
      metric: metrics[metric],
      threshold: typeof threshold === 'number' ? threshold : threshold(environment),
      evaluationPeriods: periods,
      comparisonOperator: COMPARISON[when],
      treatMissingData: missingIsBad ? MISSING.bad : MISSING.fine,
    });
  }
}
