import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A GET as API Gateway hands it to a function, as far as functions read it. */
export function eventFrom(sourceIp: string | undefined, headers: Record<string, string> = {}) {
  const http = { method: 'GET', sourceIp };
  return { headers, requestContext: { http }, isBase64Encoded: false } as unknown as APIGatewayProxyEventV2;
}
