import type { Contract } from '../contracts/base/contract.ts';
import { hasPath, methodsOf } from '../contracts/base/methods.ts';
import { AppError, notFound } from './errors.ts';

export function noSuchRoute(contracts: readonly Contract[], path: string): AppError {
  const segments = segmentsOf(path) ?? [''];
  const allow = [
    ...new Set(contracts.filter((contract) => hasPath(contract, segments)).flatMap(methodsOf)),
  ].sort();
  if (allow.length === 0) return notFound('route: see /docs for all paths and methods');
  return new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow.join(', ')} only.`, { allow });
}

/** Undefined for a path with invalid escapes. */
function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
