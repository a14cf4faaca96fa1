import type * as z from 'zod';
import type { Contract } from '../../../shared/contracts/base/contract.ts';

/** `runs.create` of the contract `runs/create`: what clients call it. */
export const operationIdOf = ({ id }: Pick<Contract, 'id'>): string => id.replace('/', '.');

/** `/v1/projects/{slug}` */
export const pathOf = ({ path }: Pick<Contract, 'path'>): string => path.replaceAll(/:(\w+)/g, '{$1}');

export const shapeOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> =>
  (schema as { shape?: Record<string, z.ZodType> } | undefined)?.shape ?? {};

/** A public endpoint may read the header itself: the exchange of tokens takes keys and the tokens of jobs. */
export const takesCredential = ({ access, headers }: Contract): boolean =>
  access === 'api_key' || 'authorization' in shapeOf(headers);
