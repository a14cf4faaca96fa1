import { startCloud } from './cloud.ts';

/** A cloud in a process of its own: tells whoever started it where it is, and at the end what functions failed at. */
const starting = startCloud();
// Ctrl-C reaches this process, too: it ends when whoever started it does, and leaves nothing behind.
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
  process.send?.({ baseUrl: cloud.baseUrl });
}
