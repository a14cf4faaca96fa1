import * as oauth from 'oauth4webapi';
import { createConnect } from '../connection/connection.ts';
import { reachOf } from '../connection/reach.ts';
import type { Discovery } from '../domain/accounts/ports.ts';
import type { Secret } from '../domain/byok/secret.ts';
import { issuerUnavailable } from '../domain/issuers/unavailable.ts';
import { failed, misconfigured } from '../domain/signIn/flow.ts';
import type { SignInProvider } from '../domain/signIn/ports.ts';
import { CLOCK_TOLERANCE_SECONDS } from './claims.ts';
import { BYTES_MAX, FETCH_MS_MAX } from './keySet.ts';

interface Options {
  /** `host:port` of issuers that may be private: see `shared/connection/reach.ts`. */
  readonly allowlist: readonly string[];
  readonly now: () => number;
}

/** What people can do about the errors of RFC 6749, section 5.2. */
const CAUSES: Readonly<Record<string, string>> = {
  invalid_grant: 'the provider does not take the code any more',
  invalid_client: 'the provider refuses the client: its client_id or client_secret is wrong',
  unauthorized_client: 'the provider does not let this client sign people in',
};

export function signInProvider({ allowlist, now }: Options): SignInProvider {
  const connect = createConnect();
  return {
    async redeem({ issuer, client_id, secret, discovery, redirectUri }, begun, returned) {
      const reach = reachOf(discovery.token_endpoint ?? '', allowlist);
      if (reach === undefined) throw misconfigured('the provider names no address that codes may be sent to');
      const connection = connect({
        reach,
        timeoutMs: FETCH_MS_MAX,
        connectTimeoutMs: FETCH_MS_MAX,
        resolve: undefined,
        bytesMax: BYTES_MAX,
      });
      const server: oauth.AuthorizationServer = {
        issuer,
        token_endpoint: discovery.token_endpoint ?? '',
        authorization_response_iss_parameter_supported:
          discovery.authorization_response_iss_parameter_supported ?? false,
        id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      };
      const client: oauth.Client = {
        client_id,
        [oauth.clockSkew]: Math.round((now() - Date.now()) / 1_000),
        [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
      };
      const { code, state, iss } = returned;
      const parameters = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) });
      try {
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication(secret, discovery),
          oauth.validateAuthResponse(server, client, parameters, begun.state),
          redirectUri,
          begun.verifier,
          {
            // Which addresses it reaches is decided above.
            [oauth.allowInsecureRequests]: true,
            [oauth.customFetch]: (url, { method, headers, body }) =>
              connection.fetch(url, { method, headers, body: String(body) }),
          },
        );
        const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: begun.nonce,
          requireIdToken: true,
        });
        return { idToken: result.id_token ?? '', claims: oauth.getValidatedIdTokenClaims(result) ?? {} };
      } catch (error) {
        if (connection.problem !== undefined) throw issuerUnavailable(issuer);
        const [cause, isOfClient] = causeOf(error);
        throw (isOfClient ? misconfigured : failed)(cause);
      }
    },
  };
}

/** Servers differ in how they read what is encoded in the header: the form is preferred where it is known. */
function authentication(secret: Secret | undefined, discovery: Discovery): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const takesForm = discovery.token_endpoint_auth_methods_supported?.includes('client_secret_post');
  return (takesForm ? oauth.ClientSecretPost : oauth.ClientSecretBasic)(secret.reveal());
}

function causeOf(error: unknown): readonly [cause: string, isOfClient: boolean] {
  const code = error instanceof oauth.ResponseBodyError ? error.error : '';
  if (Object.hasOwn(CAUSES, code)) return [CAUSES[code] ?? '', code !== 'invalid_grant'];
  return [
    "the provider's answer is not of this sign-in, or not of the form that OpenID Connect demands",
    false,
  ];
}
