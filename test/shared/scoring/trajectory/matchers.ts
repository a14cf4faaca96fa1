/** Where matchers of other tools go wrong, and what is right. */
export interface MatcherCase {
  readonly title: string;
  readonly config: object;
  readonly sent: { readonly trace: readonly object[] } | { readonly messages: readonly object[] };
  readonly passes: boolean;
}

const call = (tool: string, members: object = {}) => ({ type: 'call', tool, arguments: members });
const broad = { tool: 'search', arguments_include: { q: 'x' } };
const narrow = { tool: 'search', arguments: { q: 'x', page: 1 } };
const both = { trace: [call('search', { q: 'x', page: 1 }), call('search', { q: 'x', page: 2 })] };

export const MATCHER_CASES: readonly MatcherCase[] = [
  { title: 'overlapping references', config: { calls: [broad, narrow] }, sent: both, passes: true },
  { title: 'overlapping references turned', config: { calls: [narrow, broad] }, sent: both, passes: true },
  {
    title: 'calls in another order',
    config: { calls: [{ tool: 'a' }, { tool: 'b' }] },
    sent: { trace: [call('b'), call('a')] },
    passes: true,
  },
  {
    title: 'no call as a subset',
    config: { calls: [{ tool: 'a' }], allow_extra: true },
    sent: { trace: [] },
    passes: false,
  },
  {
    title: 'an extra deed',
    config: { calls: [{ tool: 'a' }] },
    sent: { trace: [call('a'), call('delete_account')] },
    passes: false,
  },
  {
    title: 'arguments that are no JSON',
    config: { calls: [{ tool: 'a' }] },
    sent: {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{"b":' } }],
        },
      ],
    },
    passes: false,
  },
  { title: 'an empty reference', config: { calls: [] }, sent: { trace: [call('a')] }, passes: false },
];
