/**
 * US dollars, us-east-1, on demand, without free tiers and volume discounts, from AWS's pricing pages of API Gateway,
 * Lambda, DynamoDB, SQS, KMS, CloudWatch and CloudFront in November 2026. Check them before quoting a figure. DynamoDB's
 * prices were halved in November 2024. Two prices are from pages about AWS, since its own could not be read: those of
 * CloudFront's requests and of the firewall (November 2026, the same on several pages).
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
  /** HTTPS, to callers in North America; $0.012 for 10,000 in Europe. */
  cloudfrontRequest: 0.01 / 10_000,
  /** To callers, from the edge. What the API answers to the edge is free. */
  cloudfrontByte: 0.085 / GB,
  /** Bodies of requests, from the edge to the API. */
  cloudfrontOriginByte: 0.02 / GB,
  firewallRequest: 0.6 / MILLION,
} as const;
