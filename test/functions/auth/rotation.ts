import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { handler as createToken } from '../../../functions/auth/token.ts';
import { handler as listProjects } from '../../../functions/projects/list.ts';
import type { HttpHandler } from '../../../shared/http/endpoint.ts';
import type { SigningKeysConfig } from '../../../shared/runtime/config.ts';
import type { OwnService } from '../../support/ownService.ts';

/** The handlers on the service's table, deployed with other token keys. */
export function handlersOf({ runtime }: OwnService, tokenKeys: SigningKeysConfig) {
  const config = { ...runtime.config, tokenKeys };
  const [token, projects] = [createToken, listProjects].map((handler) =>
    handler.withRuntime({ ...runtime, config }),
  ) as [HttpHandler, HttpHandler];

  const call = (handler: HttpHandler, credential: string) => {
    const headers = { authorization: `Bearer ${credential}` };
    const event = { headers, requestContext: { http: {} }, isBase64Encoded: false };
    return handler(event as unknown as APIGatewayProxyEventV2, { awsRequestId: 'one' } as Context);
  };

  return {
    makeToken: async (key: string): Promise<string> =>
      JSON.parse((await call(token, key)).body ?? '').data.token,
    statusFor: async (credential: string) => (await call(projects, credential)).statusCode,
  };
}
