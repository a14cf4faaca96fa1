import { outputItemsSchema } from '../../../shared/contracts/outputs.ts';
import { inWords } from '../../files/read/parts.ts';
import type { CheckItems } from './readOutputs.ts';

/** As the service would. */
export const checkItems: CheckItems = (items) => {
  const { error } = outputItemsSchema.safeParse(items);
  return (error?.issues ?? []).map(({ path: [, ...within], message }) => {
    const field = within.length === 0 ? '' : `${inWords(within)} `;
    return `${field}${message.replace(/^Invalid input: /, 'is wrong: ')}`;
  });
};
