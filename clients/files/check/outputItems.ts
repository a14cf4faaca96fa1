import { outputItemsSchema } from '../../../shared/contracts/outputs.ts';
import type { CheckItems } from '../../importers/outputs/readOutputs.ts';
import { inWords } from '../read/parts.ts';

/** As the service would. */
export const checkItems: CheckItems = (items) => {
  const { error } = outputItemsSchema.safeParse(items);
  return (error?.issues ?? []).map(({ path: [, ...within], message }) => {
    const field = within.length === 0 ? '' : `${inWords(within)} `;
    return `${field}${message.replace(/^Invalid input: /, 'is wrong: ')}`;
  });
};
