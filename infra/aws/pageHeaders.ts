import type { ResponseHeadersPolicyProps } from 'aws-cdk-lib/aws-cloudfront';
import { HeadersReferrerPolicy } from 'aws-cdk-lib/aws-cloudfront';
import { Duration } from 'aws-cdk-lib/core';
import { PAGE_HEADERS } from '../../clients/pages/headers.ts';

/** CloudFront takes these headers by properties of their own, and refuses them among the others. */
const {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': referrer,
  'strict-transport-security': transport,
  'x-content-type-options': _,
  ...others
} = PAGE_HEADERS;

const referrerPolicy = Object.values(HeadersReferrerPolicy).find((known) => known === referrer);
const [, transportSeconds] = /^max-age=(\d+)$/.exec(transport) ?? [];
if (referrerPolicy === undefined || transportSeconds === undefined) {
  throw new Error('Say in infra/aws/pageHeaders.ts how CloudFront writes this header of pages.');
}

/** The headers of pages as CloudFront adds them. */
export const PAGE_HEADERS_OF_EDGE: ResponseHeadersPolicyProps = {
  securityHeadersBehavior: {
    contentSecurityPolicy: { contentSecurityPolicy, override: true },
    contentTypeOptions: { override: true },
    referrerPolicy: { referrerPolicy, override: true },
    strictTransportSecurity: {
      accessControlMaxAge: Duration.seconds(Number(transportSeconds)),
      includeSubdomains: false,
      override: true,
    },
  },
  customHeadersBehavior: {
    customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override: true })),
  },
};
