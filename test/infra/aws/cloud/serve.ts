import { startCloud } from './cloud.ts';
import { startForViewers } from './viewers.ts';

/** Runs a cloud in its own process. Sends its parent its addresses, and at the end the errors of functions. */
const starting = startCloud();
// Ctrl-C reaches this process too: it waits for its parent's end and clears up.
process.on('SIGINT', () => {});
process.once('disconnect', () => {
  const stopped = starting.then((begun) => begun.stop());
  stopped.catch(() => {}).finally(() => process.exit());
});
const cloud = await starting;

async function stop(): Promise<void> {
  await cloud.stop();
  const refused = cloud.records.refused.map(
    ({ functionId, action, resource }) => `${functionId} was refused ${action} on ${resource}`,
  );
  const failed = cloud
    .errors()
    .map(({ functionId, code, message, line }) => `${functionId} failed: ${code}, ${message ?? line}`);
  process.send?.({ complaints: [...new Set([...refused, ...failed])] }, () => process.exit());
}

if (process.connected) {
  process.once('message', () => void stop());
  process.send?.({ baseUrl: cloud.baseUrl, browserUrl: await startForViewers(cloud.baseUrl) });
}
