import { type Io, variable } from '../io.ts';

/** Whether this Node goes around the proxies of its environment: Node 22 follows them only from its start. */
export const isAroundProxies = (io: Pick<Io, 'env'>): boolean =>
  !('setGlobalProxyFromEnv' in process.getBuiltinModule('node:http')) &&
  variable(io, 'NODE_USE_ENV_PROXY') !== '1';
