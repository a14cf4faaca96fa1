import { startCloud } from './cloud.ts';

/** A cloud in a process of its own: tells whoever started it where it is, and at the end what functions failed at. */
const cloud = await startCloud();

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await cloud.stop();
  const refused = cloud.records.refused.map(
    ({ functionId, action, resource }) => `${functionId} was refused ${action} on ${resource}`,
  );
  const failed = cloud
    .errors()
    .map(({ functionId, code, message, line }) => `${functionId} failed: ${code}, ${message ?? line}`);
  process.send?.({ complaints: [...new Set([...refused, ...failed])] }, () => process.exit());
}

process.on('message', () => void stop());
process.once('disconnect', () => void stop().finally(() => process.exit()));
process.send?.({ baseUrl: cloud.baseUrl });
