import { getJwks } from '../../shared/contracts/credentials/tokens.ts';
import { lazily } from '../../shared/domain/caches/lazily.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { tokenKeysFromConfig } from '../../shared/vault/tokenKeys.ts';

/** A key is announced here before it signs, and stays until its last token has expired. */
const CACHE = { 'cache-control': 'public, max-age=300' };

export const handler = endpoint(getJwks, {
  dependencies: ({ config: { tokenKeys } }) => ({
    keys: tokenKeys && lazily(() => tokenKeysFromConfig(tokenKeys)),
  }),
  handle: async (_, { keys }) => ({
    status: 200,
    headers: CACHE,
    body: { keys: [...((await (await keys?.())?.publicKeys()) ?? [])] },
  }),
});
