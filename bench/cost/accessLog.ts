import { ACCESS_LOG } from '../../infra/aws/accessLog.ts';

/** What API Gateway fills in for `POST /v1/run`, of usual lengths. A line without an error has a dash for it. */
const FILLED: Readonly<Record<string, string>> = {
  '$context.requestId': 'UGhbzjF8IAMEVpg=',
  '$context.requestTime': '22/Nov/2026:16:55:51 +0000',
  '$context.httpMethod': 'POST',
  '$context.routeKey': 'POST /v1/run',
  '$context.status': '200',
  '$context.identity.sourceIp': '203.0.113.201',
  '$context.responseLatency': '112',
  '$context.integrationStatus': '200',
  '$context.integrationErrorMessage': '-',
  '$context.responseLength': '1880',
};

/** Bytes of one line of the API's access log. Throws for a variable that has no usual value here. */
export function accessLogBytes(): number {
  const filled = Object.entries(ACCESS_LOG).map(([field, variable]) => {
    const value = FILLED[variable];
    if (value === undefined) throw new Error(`Say in bench/cost/accessLog.ts what ${variable} usually is.`);
    return [field, value];
  });
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(filled)));
}
