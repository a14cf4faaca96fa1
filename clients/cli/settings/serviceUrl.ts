import { serviceUrlOf } from '../../files/config/serviceUrl.ts';
import { type Io, variable } from '../io.ts';
import { Problem } from '../problem.ts';

const TRUSTED_NETWORK = ', or set EVALGATE_ALLOW_HTTP=1 for a network that you trust.';

/** The one way in which a service's URL is written, so that two can be compared. */
export function serviceUrl(io: Pick<Io, 'env'>, given: string, from: string): string {
  const checked = serviceUrlOf(given, from, variable(io, 'EVALGATE_ALLOW_HTTP') === '1');
  if ('url' in checked) return checked.url;
  const { why, hint } = checked;
  throw new Problem(why, hint.startsWith('Use ') ? `${hint}${TRUSTED_NETWORK}` : hint);
}
