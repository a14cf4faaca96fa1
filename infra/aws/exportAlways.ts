import type { Stack } from 'aws-cdk-lib/core';

/**
 * Exports values for other stacks, used or not. CloudFormation refuses to remove an export that another stack imports,
 * and deploys the exporting stack first: without this, a deployment that stops using a value would fail, such as one
 * that turns payments off, or a rollback.
 */
export function exportAlways(stack: Stack, values: readonly string[]): void {
  for (const value of values) stack.exportValue(value);
}
