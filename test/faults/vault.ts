import { type Vault, VaultError } from '../../shared/domain/byok/ports.ts';
import type { Faults, Process } from './processes.ts';
import type { Simulation } from './simulation.ts';

/** An injected failure by its name. */
class InjectedVaultError extends VaultError {
  constructor(retryable: boolean) {
    super('injected', { retryable });
    this.name = 'InjectedFault';
  }
}

/** The vault as seen by one process: slow, throttled, and closed for organisations with a disabled key. */
export function faultyVault(
  sim: Simulation,
  vault: Vault,
  process: Process,
  faults: () => Faults,
  shutFor: ReadonlySet<string>,
): Vault {
  function operation<T>(label: string, org: string, act: () => Promise<T>): Promise<T> {
    return process.effect(label, async () => {
      if (shutFor.has(org)) throw new InjectedVaultError(false);
      if (sim.random.chance(faults().vault)) throw new InjectedVaultError(true);
      return act();
    });
  }
  return {
    encrypt: (secret, context) =>
      operation(`encrypt ${context.provider}`, context.org, () => vault.encrypt(secret, context)),
    decrypt: (ciphertext, context) =>
      operation(`decrypt ${context.provider}`, context.org, () => vault.decrypt(ciphertext, context)),
  };
}
