import type { Editor } from '../../../shared/domain/principal.ts';
import type { Act } from '../../../shared/domain/revisions/ports.ts';

/** The editor in tests that read no history. */
export const editorOf = (orgId: string): Editor => ({
  orgId,
  credential: { type: 'api_key', key_id: orgId, label: 'Test' },
});

/** Whatever such an edit is. */
export const ACT: Act = { action: 'updated', target: { type: 'suite' } };
