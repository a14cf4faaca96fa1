import type { ResponseHeadersPolicyProps } from 'aws-cdk-lib/aws-cloudfront';
import { HeadersReferrerPolicy } from 'aws-cdk-lib/aws-cloudfront';
import { Duration } from 'aws-cdk-lib/core';
import { APP_HEADERS, PAGE_HEADERS } from '../../clients/pages/headers.ts';

/** The headers of pages as CloudFront adds them. It takes some by properties of their own, and refuses them among the others. */
function ofEdge(headers: typeof APP_HEADERS | typeof PAGE_HEADERS): ResponseHeadersPolicyProps {
  const {
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': referrer,
    'strict-transport-security': transport,
    'x-content-type-options': _,
    ...customHeaders
  } = headers;
  const referrerPolicy = Object.values(HeadersReferrerPolicy).find((known) => known === referrer);
  const [, transportSeconds] = /^max-age=(\d+)$/.exec(transport) ?? [];
  if (referrerPolicy === undefined || transportSeconds === undefined) {
    throw new Error('Say in infra/aws/pageHeaders.ts how CloudFront writes this header of pages.');
  }
  return {
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
      customHeaders: Object.entries(customHeaders).map(([header, value]) => ({
        header,
        value,
        override: true,
      })),
    },
  };
}

export const PAGE_HEADERS_OF_EDGE = ofEdge(PAGE_HEADERS);
export const APP_HEADERS_OF_EDGE = ofEdge(APP_HEADERS);
