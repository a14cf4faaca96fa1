import { createHash } from 'node:crypto';

/** As items name cases. */
export { lengthened, shortened } from '../../scoring/verdict/kept.ts';

const UUID = /^(.{8})(.{4})(.)(.{3})(.)(.{3})(.{12})$/;

/** The id of a baseline. It is computed, not stored. `name`: the token of the edit that put it in force. */
export const baselineId = (suiteId: string, name: string): string =>
  createHash('sha256')
    .update(`${suiteId}/${name}`)
    .digest('hex')
    .slice(0, 32)
    .replace(UUID, '$1-$2-8$4-8$6-$7');
