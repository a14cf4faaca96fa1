import * as z from 'zod';
import type { DeployedEventSource, DeployedFunction, DeployedSchedule } from '../deployed.ts';
import { matchesArn } from '../policy.ts';
import type { Resource } from './cloudFormation.ts';
import { type Made, read } from './made.ts';

const permissionSchema = z.strictObject({
  Action: z.literal('lambda:InvokeFunction'),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string(),
});

const routeSchema = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  AuthorizationType: z.literal('NONE'),
  Target: z.string().regex(/^integrations\/./),
});
const integrationSchema = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
});
const stageSchema = z.looseObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AutoDeploy: z.literal(true),
});

/** Strict: a filter, or another way to tell failures, would change what the function gets. */
const eventSourceSchema = z.strictObject({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  BatchSize: z.int(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.int() }),
  Tags: z.unknown().optional(),
});

const ruleSchema = z.strictObject({
  ScheduleExpression: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']),
  // Without an input of its own the function gets the event as it is.
  Targets: z.tuple([
    z.strictObject({
      Arn: z.string(),
      Id: z.string(),
      RetryPolicy: z.unknown().optional(),
      Input: z.string().optional(),
    }),
  ]),
  Tags: z.unknown().optional(),
});

/** The triggers of functions. Throws where a permission does not match. */
export class Triggers {
  readonly #made: Made;
  readonly #functions: readonly DeployedFunction[];
  readonly #permissions: readonly z.output<typeof permissionSchema>[];

  constructor(made: Made, functions: Iterable<DeployedFunction>) {
    this.#made = made;
    this.#functions = [...functions];
    this.#permissions = made
      .ofType('AWS::Lambda::Permission')
      .map((resource) => read(resource, permissionSchema));
  }

  /** Function ids by route key. */
  routes(): ReadonlyMap<string, string> {
    const api = this.#made.only('AWS::ApiGatewayV2::Api');
    const stage = read(this.#made.only('AWS::ApiGatewayV2::Stage'), stageSchema);
    const routes = this.#made.ofType('AWS::ApiGatewayV2::Route').map((resource) => {
      const { ApiId, RouteKey, Target } = read(resource, routeSchema);
      const integration = read(
        this.#made.named('AWS::ApiGatewayV2::Integration', 'Ref', Target.replace('integrations/', '')),
        integrationSchema,
      );
      for (const id of [ApiId, integration.ApiId, stage.ApiId]) {
        if (id !== api.value('Ref')) throw new Error(`${RouteKey} is not of the API`);
      }
      const called = this.#withArn(integration.IntegrationUri);
      const place = RouteKey === '$default' ? RouteKey : RouteKey.replace(' ', '');
      const source = arnOf(resource, called, `${api.value('Ref')}/${stage.StageName}/${place}`);
      this.#checkPermission(called, 'apigateway.amazonaws.com', source);
      return [RouteKey, called.id] as const;
    });
    return new Map(routes);
  }

  eventSources(): DeployedEventSource[] {
    return this.#made.ofType('AWS::Lambda::EventSourceMapping').map((resource) => {
      const { FunctionName, EventSourceArn, BatchSize, ScalingConfig } = read(resource, eventSourceSchema);
      const called = this.#functions.find(({ name }) => name === FunctionName);
      if (called === undefined) throw new Error(`There is no function ${FunctionName}`);
      const queueArn = this.#made.named('AWS::SQS::Queue', 'Arn', EventSourceArn).value('Arn');
      const invocationsMax = ScalingConfig.MaximumConcurrency;
      return { functionId: called.id, queueArn, batchSize: BatchSize, invocationsMax };
    });
  }

  schedules(): DeployedSchedule[] {
    return this.#made.ofType('AWS::Events::Rule').map((resource) => {
      const { State, Targets } = read(resource, ruleSchema);
      const called = this.#withArn(Targets[0].Arn);
      this.#checkPermission(called, 'events.amazonaws.com', resource.value('Arn'));
      const { Input } = Targets[0];
      return { functionId: called.id, isOn: State === 'ENABLED', input: Input && JSON.parse(Input) };
    });
  }

  #withArn(arn: string): DeployedFunction {
    const found = this.#functions.find((candidate) => candidate.arn === arn);
    if (found === undefined) throw new Error(`There is no function ${arn}`);
    return found;
  }

  #checkPermission({ arn, id }: DeployedFunction, principal: string, source: string): void {
    const isGiven = this.#permissions.some(
      ({ FunctionName, Principal, SourceArn }) =>
        FunctionName === arn && Principal === principal && matchesArn(SourceArn, source),
    );
    if (!isGiven) throw new Error(`No permission lets ${principal} invoke ${id} for ${source}`);
  }
}

/** Of a call: `<API>/<stage>/<method>/<path>`. */
const arnOf = ({ stack }: Resource, { arn }: DeployedFunction, call: string): string =>
  `arn:aws:execute-api:${stack.region}:${arn.split(':')[4]}:${call}`;
