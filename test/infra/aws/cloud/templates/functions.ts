import * as z from 'zod';
import type { DeployedFunction } from '../deployed.ts';
import { statementSchema } from '../policy.ts';
import type { Resource } from './cloudFormation.ts';
import { type Made, read } from './made.ts';

/** Strict: layers, networks or other settings would make another environment than the one that is run here. */
const functionSchema = z.strictObject({
  Description: z.string(),
  FunctionName: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Handler: z.string(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Role: z.string(),
  MemorySize: z.int(),
  Timeout: z.int(),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }),
  // What runs here is the same on another processor.
  Architectures: z.unknown().optional(),
  LoggingConfig: z.unknown().optional(),
  RecursiveLoop: z.unknown().optional(),
  // Far above what tests invoke at once.
  ReservedConcurrentExecutions: z.int().min(10).optional(),
  TracingConfig: z.unknown().optional(),
  Tags: z.unknown().optional(),
});

/** Strict: managed policies and boundaries would have to be known as well. */
const roleSchema = z.strictObject({
  AssumeRolePolicyDocument: z.strictObject({
    Version: z.literal('2012-10-17'),
    Statement: z.tuple([
      z.strictObject({
        Effect: z.literal('Allow'),
        Action: z.literal('sts:AssumeRole'),
        Principal: z.strictObject({ Service: z.literal('lambda.amazonaws.com') }),
      }),
    ]),
  }),
  Policies: z.array(
    z.strictObject({
      PolicyName: z.string(),
      PolicyDocument: z.strictObject({
        Version: z.literal('2012-10-17'),
        Statement: z.array(statementSchema),
      }),
    }),
  ),
  Tags: z.unknown().optional(),
});

/** Of a type that could give a role more than the role says. */
const POLICY_TYPES = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::RolePolicy'];

/** Our functions by id, without the CDK's own. */
export function functionsOf(made: Made): ReadonlyMap<string, DeployedFunction> {
  for (const type of POLICY_TYPES) {
    if (made.ofType(type).length > 0) throw new Error(`Say in functions.ts whom an ${type} gives rights`);
  }
  const found = made.ofType('AWS::Lambda::Function').flatMap((resource) => {
    const id = /^functions\/(.*)\.ts$/.exec(String(resource.properties.Description))?.[1];
    return id === undefined ? [] : [[id, functionOf(made, resource, id)] as const];
  });
  return new Map(found);
}

function functionOf(made: Made, resource: Resource, id: string): DeployedFunction {
  const { FunctionName, Handler, Code, Role, MemorySize, Timeout, Environment } = read(
    resource,
    functionSchema,
  );
  const folder = resource.stack.assets.get(Code.S3Key);
  if (folder === undefined) throw new Error(`No file of ${resource.stack.name} is uploaded as ${Code.S3Key}`);
  const { Policies } = read(made.named('AWS::IAM::Role', 'Arn', Role), roleSchema);
  return {
    id,
    name: FunctionName,
    arn: resource.value('Arn'),
    folder,
    handler: Handler,
    variables: Environment.Variables,
    memoryMegabytes: MemorySize,
    timeoutSeconds: Timeout,
    statements: Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  };
}
