import { startHttpServer } from '../../infra/local/http/httpServer.ts';
import { routeNotFound } from '../../shared/contracts/base/fallback.ts';
import { createRun } from '../../shared/contracts/runs.ts';
import { bareRun } from './bareRun.ts';

/** Serves the bare handler by the service's own HTTP server. Ends with its parent process. */
const [endpoint = '', tableName = ''] = process.argv.slice(2);
const server = await startHttpServer({
  host: '127.0.0.1',
  port: 0,
  contracts: [createRun, routeNotFound],
  functions: new Map([[createRun.id, bareRun({ endpoint, tableName })]]),
});
process.send?.(`http://127.0.0.1:${server.port}`);
process.once('disconnect', () => process.exit());
