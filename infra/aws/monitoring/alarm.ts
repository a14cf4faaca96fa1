import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';
import type { Metrics } from './metrics.ts';

export interface AlarmDefinition {
  /** What the metric measures; also the heading of the alarm's section in the runbook. */
  readonly title: string;
  /** The effect on customers, for the alarm's description. */
  readonly impact: string;
  readonly metric: keyof Metrics;
  readonly threshold: number | ((environment: Environment) => number);
  readonly when?: 'at_least' | 'below';
  /** How many periods in a row the metric must be past the threshold. */
  readonly periods: number;
  /** A period without data counts as past the threshold. */
  readonly missingIsBad?: true;
}

export const RUNBOOK = 'docs/runbook.md';

/** The anchor that GitHub gives a heading. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

export const descriptionOf = ({ title, impact }: AlarmDefinition): string =>
  `${impact} What to do: ${RUNBOOK}#${anchorOf(title)}`;

export const MISSING = { bad: TreatMissingData.BREACHING, fine: TreatMissingData.NOT_BREACHING };
export const COMPARISON = {
  at_least: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
};
