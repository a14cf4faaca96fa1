import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration, type Stack } from 'aws-cdk-lib/core';
import type { LogCode } from '../../../shared/runtime/log.ts';
import type { Environment } from '../environments.ts';
import { functionName, metricsNamespace } from '../functions.ts';
import type { ApiStack } from '../stacks/api.ts';
import type { DataStack } from '../stacks/data.ts';
import type { EvaluatorStack } from '../stacks/evaluator.ts';

export interface Watched {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly evaluator: EvaluatorStack;
}

export const minutes = (count: number) => ({ period: Duration.minutes(count) });
const FIVE_MINUTES = minutes(5);

export const isCode = (code: LogCode): string => `$.code = "${code}"`;

export class MetricSources {
  readonly watched: Watched;
  readonly #stack: Stack;

  constructor(stack: Stack, watched: Watched) {
    this.#stack = stack;
    this.watched = watched;
  }

  /** `value` is what a matching line adds: a number, or the name of a field. */
  fromLog(name: string, logGroup: LogGroup, condition: string, value = '1'): Metric {
    new MetricFilter(this.#stack, `${name}Filter`, {
      logGroup,
      filterPattern: FilterPattern.literal(`{ ${condition} }`),
      metricNamespace: this.#namespace(),
      metricName: name,
      metricValue: value,
    });
    return this.embedded(name);
  }

  /** A metric that log lines declare themselves, in CloudWatch's embedded format, in any log group. */
  embedded(name: string): Metric {
    return new Metric({
      namespace: this.#namespace(),
      metricName: name,
      statistic: 'Sum',
      ...FIVE_MINUTES,
    });
  }

  coded(name: string, logGroup: LogGroup, ...codes: readonly LogCode[]): Metric {
    return this.fromLog(name, logGroup, codes.map(isCode).join(' || '));
  }

  lambda(metricName: string, functionId: string): Metric {
    const FunctionName = functionName(this.watched.environment.name, functionId);
    return this.#ofAws('AWS/Lambda', metricName, { FunctionName });
  }

  allLambdas(metricName: string): Metric {
    return this.#ofAws('AWS/Lambda', metricName, {});
  }

  http(metricName: string): Metric {
    return this.#ofAws('AWS/ApiGateway', metricName, { ApiId: this.watched.api.api.ref });
  }

  #namespace(): string {
    return metricsNamespace(this.watched.environment.name);
  }

  #ofAws(namespace: string, metricName: string, dimensionsMap: Record<string, string>): Metric {
    return new Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', ...FIVE_MINUTES });
  }
}

/** A sum of metrics that have the same period. Missing data counts as 0. */
export function sumOf(metrics: readonly Metric[], label: string): MathExpression {
  // Ids must be unique among the sums of one graph.
  const prefix = label.replaceAll(/\W/g, '');
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${prefix}${index}`, metric]));
  const terms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  const [first] = metrics;
  return new MathExpression({
    expression: terms.join(' + '),
    usingMetrics,
    label,
    ...(first && { period: first.period }),
  });
}

/** `part` as a percentage of `all`, or 0 where `all` is below `min`. The keys name the metrics in the expression. */
export function percentOf(share: {
  readonly label: string;
  readonly all: Readonly<Record<string, Metric>>;
  readonly part: Readonly<Record<string, Metric>>;
  readonly min: number;
}): MathExpression {
  const [all, part] = [Object.keys(share.all)[0], Object.keys(share.part)[0]];
  return new MathExpression({
    expression: `IF(${all} >= ${share.min}, 100 * FILL(${part}, 0) / ${all}, 0)`,
    usingMetrics: { ...share.all, ...share.part },
    label: share.label,
    ...FIVE_MINUTES,
  });
}
