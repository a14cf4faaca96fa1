/**
 * The fields of the API's access log and the variables of API Gateway that fill them: one JSON object for each request,
 * including those that reach no function. Query and headers may contain secrets.
 */
export const ACCESS_LOG = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  source: '$context.identity.sourceIp',
  latency_ms: '$context.responseLatency',
  integration_status: '$context.integrationStatus',
  integration_error: '$context.integrationErrorMessage',
  response_bytes: '$context.responseLength',
};
