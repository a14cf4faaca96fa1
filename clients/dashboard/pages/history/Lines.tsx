import type { ComponentChildren, JSX } from 'preact';
import { toChildArray } from 'preact';
import type { ChangedLine } from '../../../gate/report/history.ts';
import { counted } from '../../../gate/report/numbers.ts';
import { credentialWords } from '../../../gate/report/review/credential.ts';
import type { Credential } from '../../../sdk/index.ts';
import { capitalized } from '../../kit/text.ts';
import { EffectChip } from '../../parts/Verdict.tsx';
import { Foreign, Sentence } from '../../parts/Words.tsx';
import { isMember } from './rows.ts';

const SHOWN = 5;

/** A line each; those beyond the fifth are folded. */
export function Folded({ children }: { readonly children: ComponentChildren }): JSX.Element | null {
  const lines = toChildArray(children);
  const [shown, folded] = [lines.slice(0, SHOWN), lines.slice(SHOWN)];
  if (lines.length === 0) return null;
  return (
    <>
      <List lines={shown} />
      {folded.length > 0 && (
        <details class="more">
          <summary>{counted(folded.length, 'more line')}</summary>
          <List lines={folded} />
        </details>
      )}
    </>
  );
}

function List({ lines }: { readonly lines: readonly ComponentChildren[] }): JSX.Element {
  return (
    <ul class="lines">
      {lines.map((line, index) => (
        <li key={`${index}`}>{line}</li>
      ))}
    </ul>
  );
}

const KEYS: Readonly<Partial<Record<Credential['type'], string>>> = {
  api_key: 'API key',
  token: 'token of an API key',
  session: 'API key, in the dashboard',
};

/** Whose act it was, as a sentence begins: a person's name stands alone. */
export function Author({ credential }: { readonly credential: Credential }): JSX.Element {
  const kind = KEYS[credential.type];
  if (kind !== undefined) {
    return (
      <>
        <strong>
          “<Foreign text={credential.label} />”
        </strong>{' '}
        <span class="muted">({kind})</span>
      </>
    );
  }
  const {
    own: [first = '', ...rest],
    foreign,
  } = credentialWords(credential);
  return (
    <strong>
      <Sentence words={{ own: [capitalized(first), ...rest], foreign }} />
    </strong>
  );
}

const DONE: Readonly<Record<string, string>> = { created: 'added', deleted: 'deleted' };
const TARGETS_SHOWN = 3;

interface LineProps {
  readonly line: ChangedLine;
  /** Of a case, by its key. */
  readonly pathOf: (key: string) => string;
}

/** What became of one or several cases or scorers, or of the suite. */
export function OneLine({ line, pathOf }: LineProps): JSX.Element {
  const { action, targets, words, effect } = line;
  const [first] = targets;
  const rest = targets.length - TARGETS_SHOWN;
  return (
    <>
      {first && isMember(first) && (
        <>
          {DONE[action] ?? 'changed'} {targets.length > 1 ? `${targets.length} ${first.type}s` : first.type}{' '}
          {targets.slice(0, TARGETS_SHOWN).map(({ id, key = id }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              {first.type === 'case' && action !== 'deleted' ? (
                <a href={pathOf(key)}>
                  <Foreign text={key} />
                </a>
              ) : (
                <Foreign text={key} />
              )}
            </span>
          ))}
          {rest > 0 && ` and ${rest} more`}
          {words && ': '}
        </>
      )}
      {words && <Sentence words={words} />} {effect && <EffectChip effect={effect} />}
    </>
  );
}
