import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Service } from './awsRequest.ts';
import type { DeployedFunction } from './deployed.ts';
import type { Right } from './policy.ts';

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** SQS also sends the error code of its former protocol. */
  readonly queryError?: string;
}

/** The wire protocol: JSON 1.0 or 1.1. */
const PROTOCOLS: Readonly<Record<Service, string>> = { dynamodb: '1.0', sqs: '1.0', kms: '1.1' };

/** AWS's answer to a request without the right. */
export function notAuthorized(
  response: ServerResponse,
  service: Service,
  { action, resource }: Right,
  { name, arn }: DeployedFunction,
): void {
  const [, , , , account] = arn.split(':');
  // SQS writes actions in lower case.
  const named = service === 'sqs' ? action.toLowerCase() : action;
  const message =
    `User: arn:aws:sts::${account}:assumed-role/${name}/${name} is not authorized to perform: ${named} on resource: ` +
    `${resource} because no identity-based policy allows the ${named} action`;
  write(response, service, {
    status: service === 'sqs' ? 403 : 400,
    type: 'com.amazon.coral.service#AccessDeniedException',
    message,
    ...(service === 'sqs' && { queryError: 'AccessDenied;Sender' }),
  });
}

/** AWS's answer to unknown credentials. */
export const notKnown = (response: ServerResponse, service: Service | undefined): void =>
  write(response, service ?? 'dynamodb', {
    status: service === 'sqs' ? 403 : 400,
    type: 'com.amazon.coral.service#UnrecognizedClientException',
    message: 'The security token included in the request is invalid.',
    ...(service === 'sqs' && { queryError: 'InvalidClientTokenId;Sender' }),
  });

function write(response: ServerResponse, service: Service, refusal: Refusal): void {
  const { status, type, message, queryError } = refusal;
  response.writeHead(status, {
    'content-type': `application/x-amz-json-${PROTOCOLS[service]}`,
    'x-amzn-requestid': randomUUID(),
    ...(queryError !== undefined && { 'x-amzn-query-error': queryError }),
  });
  response.end(JSON.stringify({ __type: type, Message: message }));
}
