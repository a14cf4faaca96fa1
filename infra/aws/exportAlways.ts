import type { Stack } from 'aws-cdk-lib/core';

/**
 * Exports what a stack has for others, whether anybody uses it or not. CloudFormation takes no export away that is still
 * imported, and stacks that export are deployed first: else what turns payments off, or goes back to before something
 * was used, could not be deployed.
 */
export function exportAlways(stack: Stack, values: readonly string[]): void {
  for (const value of values) stack.exportValue(value);
}
