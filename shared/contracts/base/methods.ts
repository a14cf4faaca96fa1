import type { Contract } from './contract.ts';

/** HEAD is answered as GET is, without the body. */
export const methodsOf = ({ method }: Pick<Contract, 'method'>): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/** Whether the segments match the contract's path. A parameter matches any segment that is not empty. */
export function hasPath({ path }: Pick<Contract, 'path'>, segments: readonly string[]): boolean {
  const expected = path.split('/').slice(1);
  return (
    expected.length > 0 &&
    expected.length === segments.length &&
    expected.every((name, index) =>
      name.startsWith(':') ? segments[index] !== '' : segments[index] === name,
    )
  );
}
