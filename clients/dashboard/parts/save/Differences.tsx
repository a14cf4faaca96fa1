import type { JSX } from 'preact';
import type { Difference } from '../../kit/form/shown.ts';
import { Diff } from '../diff/Diff.tsx';
import { Foreign } from '../Words.tsx';

const LINE_MAX = 60;
const isShort = (text = ''): boolean => text.length <= LINE_MAX && !text.includes('\n');

const Value = ({ text, Tag }: { readonly text: string | undefined; readonly Tag: 'ins' | 'del' }) =>
  text === undefined ? (
    <span class="muted">none</span>
  ) : (
    <Tag>
      <Foreign text={text} />
    </Tag>
  );

/** What a change leaves otherwise, in the words of its form: before and after, long texts with their words marked. */
export function Differences({ of }: { readonly of: readonly Difference[] }): JSX.Element {
  return (
    <dl class="differences">
      {of.map(({ name, from, to }) => (
        <div key={name}>
          <dt>
            <Foreign text={name} />
          </dt>
          <dd>
            {isShort(from) && isShort(to) ? (
              <>
                <Value text={from} Tag="del" /> → <Value text={to} Tag="ins" />
              </>
            ) : (
              <Diff
                expected={from ?? ''}
                output={to ?? ''}
                isCut={false}
                isPlain={false}
                labels={['Before', 'After']}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
