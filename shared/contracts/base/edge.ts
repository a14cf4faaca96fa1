/** The headers that the edge of a deployment adds to every request, in lower case. */

/** Proves that a request came through the edge. */
export const ORIGIN_SECRET_HEADER = 'x-evalgate-origin';
/** `<address>:<port>` of the client: CloudFront sets it and drops what a client sends under this name. */
export const VIEWER_ADDRESS_HEADER = 'cloudfront-viewer-address';

/** The cookie of a session by https. The edge hands on this one and the next, and no other. */
export const SESSION_COOKIE = '__Host-evalgate';
/** Of a sign-in that has begun. */
export const SIGN_IN_COOKIE = '__Host-evalgate-sign-in';
