/**
 * No frame, no form, and nothing from anybody else: all that these pages load is a style sheet and a script of ours, which
 * makes no markup out of text.
 */
const POLICY_OF_PAGES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Scripts, styles and requests of our own origin. No policy of Trusted Types is ever created, so that no script may make
 * markup out of text.
 */
const POLICY_OF_APP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const OF_ALL = {
  'cross-origin-opener-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

/** The headers of every file that is served as it is, in lower case. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY_OF_PAGES,
  ...OF_ALL,
  'referrer-policy': 'same-origin',
  /** Asked for again each time, so that the document is that of the service which runs. */
  'cache-control': 'no-cache',
} as const;

/** The headers of the dashboard's files, beside `cache-control`, which each file has. */
export const APP_HEADERS = {
  'content-security-policy': POLICY_OF_APP,
  ...OF_ALL,
  /** A provider sends the browser back with a code in the address: requests for scripts must not repeat it. */
  'referrer-policy': 'no-referrer',
} as const;
