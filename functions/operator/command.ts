import { planFromEnv } from '../../shared/billing/planFromEnv.ts';
import { operate } from '../../shared/domain/accounts/operate.ts';
import { runtimeFromEnv } from '../../shared/runtime/runtime.ts';
import { operatorStores } from '../../shared/storage/billing/operator.ts';

/** No route leads here: it is invoked by IAM principals that its account allows to, such as by `aws lambda invoke`. */
export const handler = async (command: unknown) => {
  const { table, now, newId, log } = runtimeFromEnv();
  const plan = planFromEnv(process.env);
  const done = await operate({ ...operatorStores(table, now), plan, now, newId }, command);
  log('info', 'operator_command', {
    org_id: done.organisation.id,
    plan: done.organisation.plan,
    key_id: done.api_key?.id,
  });
  return done;
};
