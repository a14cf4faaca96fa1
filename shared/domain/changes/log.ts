import type { ChangeEntry } from '../../contracts/history/history.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';
import { changesBetween, type FieldChanges } from './fields.ts';

/** A change that no revision says. It is logged in the transaction that makes it. */
export type LoggedChange = Omit<ChangeEntry, 'id' | 'members'> & {
  /** In whose log it is; null: in the organisation's. */
  readonly projectId: string | null;
};

export interface LogReader {
  /** The newest first. */
  all(orgId: string, projectId: string | null): Promise<readonly ChangeEntry[]>;
}

export const logged = (
  { credential: by }: Pick<Principal, 'credential'>,
  nowMs: number,
  change: Pick<LoggedChange, 'projectId' | 'action' | 'target'> & { readonly changes?: FieldChanges },
): LoggedChange => ({ changes: {}, ...change, at: timestamp(nowMs), by });

/** Of what is made or ended only these fields are logged: never a key, nor what it was made of. */
export const fieldsOf = <T extends object>(
  names: readonly (keyof T & string)[],
  resource: T,
  became: 'made' | 'ended',
): FieldChanges =>
  became === 'made'
    ? changesBetween<T>(names, undefined, resource)
    : changesBetween<T>(names, resource, undefined);
