import { afterAll, beforeAll, test } from '@jest/globals';
import { type ProviderName, type Providers, startProviders } from '../support/providers.ts';
import { type Player, startPlayer } from './player.ts';
import { ANSWERS } from './provider.ts';
import { realJudge } from './realJudge.ts';
import { storeKey } from './storedKeys.ts';

const HOUR_MS = 3_600_000;
let player: Player;
let providers: Providers;

beforeAll(async () => {
  [player, providers] = await Promise.all([startPlayer(), startProviders()]);
  // A scorer with a forbidden endpoint is refused at once.
  Object.assign(process.env, providers.env);
});

afterAll(() => Promise.all([player.stop(), providers.stop()]));

test.each<ProviderName>(['openai', 'anthropic', 'google', 'azure_openai'])(
  'every invariant holds under faults with the real judge: %s',
  (provider) => {
    const judge = provider === 'azure_openai' ? { provider, model: providers.azureModel() } : { provider };
    return player.playAll({
      name: `judged by ${provider}`,
      isLarge: true,
      judge,
      settings: (random) => ({
        judge: realJudge(providers),
        // A stalled call takes real time here.
        provider: {
          trouble: random.pick([0.1, 0.3, 0.6]),
          troubles: ANSWERS.filter((kind) => kind !== 'verdict' && (kind !== 'hangs' || random.chance(0.1))),
          latencyMs: [500, 8_000],
        },
      }),
      async begin(scene) {
        const { clients, random } = scene;
        storeKey(scene, { provider });
        const suite = await scene.suite({ name: 'Judged', cases: random.int(1, 5), isJudged: () => true });
        for (let run = 0; run < 2; run++) {
          const wish = { suite, label: `real${run}`, async: random.chance(0.5) };
          clients.submit(random.int(500, 5_000), { ...wish, key: wish.label });
        }
      },
    });
  },
  HOUR_MS,
);
