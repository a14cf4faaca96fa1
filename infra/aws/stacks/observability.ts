import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type AlarmDefinition, alarmsOf, COMPARISON, descriptionOf, MISSING } from '../alarms.ts';
import { addDashboard } from '../dashboard.ts';
import { type Metrics, metricsOf, type Watched } from '../metrics.ts';

/** Who finds out when something is wrong, before a customer says so. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, watched: Watched, props: StackProps) {
    super(scope, id, props);
    const { environment } = watched;
    const metrics = metricsOf(this, watched);
    const topic = new Topic(this, 'Alarms', {
      displayName: `evalgate ${environment.name}`,
      enforceSSL: true,
    });
    if (environment.alarmEmail !== undefined) {
      topic.addSubscription(new EmailSubscription(environment.alarmEmail));
    }
    const action = new SnsAction(topic);
    for (const definition of alarmsOf(environment)) {
      const alarm = this.#alarm(definition, environment.name, metrics);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    addDashboard(this, environment, metrics);
  }

  #alarm(definition: AlarmDefinition, environment: string, metrics: Metrics): Alarm {
    const { title, metric, threshold, periods, when = 'at_least', silenceIsBad } = definition;
    return new Alarm(this, title.replaceAll(/\W/g, ''), {
      alarmName: `evalgate-${environment}: ${title}`,
      alarmDescription: descriptionOf(definition),
      metric: metrics[metric],
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: COMPARISON[when],
      treatMissingData: silenceIsBad ? MISSING.bad : MISSING.fine,
    });
  }
}
