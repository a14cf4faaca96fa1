import type { Deployed, DeployedFunction } from './deployed.ts';

/** The same deployment with one function made differently. */
export function withFunction(
  deployed: Deployed,
  id: string,
  change: (fn: DeployedFunction) => Partial<DeployedFunction>,
): Deployed {
  const fn = deployed.functions.get(id);
  if (fn === undefined) throw new Error(`${id} is not deployed`);
  return { ...deployed, functions: new Map([...deployed.functions, [id, { ...fn, ...change(fn) }]]) };
}

export const withoutVariable = (deployed: Deployed, id: string, variable: string): Deployed =>
  withFunction(deployed, id, ({ variables }) => {
    if (!(variable in variables)) throw new Error(`${id} has no variable ${variable}`);
    return { variables: Object.fromEntries(Object.entries(variables).filter(([name]) => name !== variable)) };
  });

export const withoutRight = (deployed: Deployed, id: string, right: string): Deployed =>
  withFunction(deployed, id, ({ statements }) => ({
    statements: statements.map((statement) => ({
      ...statement,
      actions: statement.actions.filter((action) => action !== right),
    })),
  }));

/** The right on another key, queue or table. */
export const withRightOn = (deployed: Deployed, id: string, right: string, resource: string): Deployed =>
  withFunction(deployed, id, ({ statements }) => ({
    statements: statements.map((statement) =>
      statement.actions.includes(right) ? { ...statement, resources: [resource] } : statement,
    ),
  }));

/** The right for items of another partition key. */
export const withRightFor = (deployed: Deployed, id: string, right: string, pattern: string): Deployed =>
  withFunction(deployed, id, ({ statements }) => ({
    statements: statements.map((statement) =>
      statement.actions.includes(right)
        ? { ...statement, condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [pattern] } } }
        : statement,
    ),
  }));
