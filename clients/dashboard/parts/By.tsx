import type { JSX } from 'preact';
import type { Credential } from '../../sdk/index.ts';
import { Foreign } from './Words.tsx';

/** Whose credential it was, in few words; its id behind it. */
export function By({ credential: by }: { readonly credential: Credential }): JSX.Element {
  if (by.type === 'github_actions') {
    return (
      <span title={by.workflow}>
        <Foreign text={by.actor} />
      </span>
    );
  }
  return <span title={by.key_id}>{by.type === 'api_key' ? 'API key' : by.type}</span>;
}
