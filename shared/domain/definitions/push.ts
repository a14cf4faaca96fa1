import type { PushedDefinition } from '../../contracts/definitionPushes.ts';

export async function pushDefinition(..._: unknown[]): Promise<PushedDefinition> {
  throw new Error('Not built yet');
}
