/**
 * US dollars, us-east-1, on demand, without free tiers and volume discounts, from AWS's pricing pages of API Gateway,
 * Lambda, DynamoDB, SQS, KMS and CloudWatch in November 2026. Check them before quoting a figure. DynamoDB's prices
 * were halved in November 2024.
 */
const MILLION = 1_000_000;
const GB = 1e9;

export const PRICES = {
  /** HTTP API, for each 512 KB. */
  httpRequest: 1 / MILLION,
  lambdaInvocation: 0.2 / MILLION,
  /** arm64. */
  lambdaGbSecond: 0.000_013_333_4,
  dynamodbWriteUnit: 0.625 / MILLION,
  dynamodbReadUnit: 0.125 / MILLION,
  /** A standard queue, for each 64 KB. */
  sqsRequest: 0.4 / MILLION,
  /** Added for requests with messages of a group. */
  sqsFairRequest: 0.1 / MILLION,
  kmsCall: 0.03 / 10_000,
  kmsKeyMonth: 1,
  logByte: 0.5 / GB,
  egressByte: 0.09 / GB,
} as const;
