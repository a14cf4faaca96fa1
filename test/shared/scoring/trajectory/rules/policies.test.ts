import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../../shared/scoring/registry.ts';
import { outcomeOf, traceOf } from '../scoring.ts';

type Made = readonly [tool: string, members: object, result?: unknown];
const user: Made = ['find_user_by_email', { email: 'a@example.com' }, 'mia_li_1'];
const details: Made = [
  'get_user_details',
  { user_id: 'mia_li_1' },
  {
    payment_methods: {
      gift_1: { id: 'gift_1', source: 'gift_card' },
      card_2: { id: 'card_2', source: 'credit_card' },
    },
  },
];
const order = (status: string, id = '#W1'): Made => [
  'get_order_details',
  { order_id: id },
  { order_id: id, status, payment_history: [{ payment_method_id: 'card_7' }] },
];
const cancel: Made = ['cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' }];
const items = (id = '#W1'): Made => [
  'modify_pending_order_items',
  { order_id: id, new_item_ids: ['11', '12'] },
];
const returns = (method: string): Made => [
  'return_delivered_order_items',
  { order_id: '#W1', payment_method_id: method },
];
const product = (isAvailable: boolean): Made => [
  'get_product_details',
  { product_id: '5' },
  { variants: { a: { item_id: '11', available: true }, b: { item_id: '12', available: isAvailable } } },
];
const book = (count: number, ...methods: string[]): Made => [
  'book_reservation',
  {
    user_id: 'mia_li_1',
    passengers: Array.from({ length: count }, () => ({})),
    payment_methods: methods.map((payment_id) => ({ payment_id })),
  },
];
const reservation = (cabin: string): Made => ['get_reservation_details', { reservation_id: 'R1' }, { cabin }];
const flights: Made = ['update_reservation_flights', { reservation_id: 'R1' }];

const before = (status: string) => ({
  tool: 'get_order_details',
  same: ['$.order_id'],
  result: [{ path: '$.status', op: 'equals', value: status }],
});

interface Policy {
  readonly words: string;
  readonly rules?: readonly object[];
  readonly forbidden?: readonly object[];
  readonly good: readonly (readonly (Made | readonly Made[])[])[];
  readonly bad: readonly (readonly (Made | readonly Made[])[])[];
}

const POLICIES: readonly Policy[] = [
  {
    words: 'the user is found before anything else',
    rules: [{ when: { tool: '*', except: 'find_user_*' }, before: { tool: 'find_user_*' } }],
    good: [[user, order('pending')], []],
    bad: [[order('pending'), user], [[user, order('pending')]]],
  },
  {
    words: 'only that user is served',
    rules: [
      {
        when: { tool: '*', assertions: [{ path: '$.user_id', op: 'exists' }] },
        before: { tool: 'find_user_*', same: [{ path: '$.user_id', in_result: '$' }] },
      },
      { when: { tool: 'find_user_*' }, at_most: 1 },
    ],
    good: [[user, details]],
    bad: [
      [user, ['get_user_details', { user_id: 'tom_2' }]],
      [user, user, details],
    ],
  },
  {
    words: 'one call at a time',
    rules: [{ when: { tool: '*' }, at_most: 1, per: 'step' }],
    good: [[user, details]],
    bad: [[[user, details]]],
  },
  {
    words: 'items of an order are exchanged or modified once',
    rules: [
      {
        when: { tool: ['exchange_*', 'modify_*_items'], failed: false },
        at_most: 1,
        per: ['$.order_id'],
      },
    ],
    good: [[items('#W1'), items('#W2')]],
    bad: [[items(), items()]],
  },
  {
    words: 'only a pending order is cancelled or modified',
    rules: [{ when: { tool: ['cancel_*', 'modify_*'] }, before: before('pending') }],
    good: [[order('pending'), cancel]],
    bad: [[order('processed'), cancel], [cancel], [order('pending', '#W2'), cancel]],
  },
  {
    words: 'only a delivered order is returned or exchanged',
    rules: [{ when: { tool: ['return_*', 'exchange_*'] }, before: before('delivered') }],
    good: [[order('delivered'), returns('card_7')]],
    bad: [[order('pending'), returns('card_7')]],
  },
  {
    words: 'nothing happens to an order whose items were modified',
    rules: [
      {
        when: { tool: 'modify_pending_order_items' },
        never_after: { tool: ['cancel_*', 'modify_*'], same: ['$.order_id'] },
      },
    ],
    good: [
      [cancel, items('#W1')],
      [items('#W2'), cancel],
    ],
    bad: [[items(), cancel]],
  },
  {
    words: 'a refund goes to the original method or a gift card',
    rules: [
      {
        when: { tool: 'return_*' },
        before: [
          {
            tool: 'get_order_details',
            same: [
              '$.order_id',
              { path: '$.payment_method_id', in_result: '$.payment_history[*].payment_method_id' },
            ],
          },
          {
            tool: 'get_user_details',
            same: [
              { path: '$.payment_method_id', in_result: '$.payment_methods[?@.source=="gift_card"].id' },
            ],
          },
        ],
      },
    ],
    good: [
      [order('delivered'), returns('card_7')],
      [details, returns('gift_1')],
    ],
    bad: [[order('delivered'), details, returns('card_2')]],
  },
  {
    words: 'at most five passengers are booked',
    forbidden: [{ tool: 'book_*', assertions: [{ path: '$.passengers', op: 'length_gte', value: 6 }] }],
    good: [[book(5)]],
    bad: [[book(6)]],
  },
  {
    words: 'payment is by methods in the profile',
    rules: [
      {
        when: { tool: 'book_*' },
        before: {
          tool: 'get_user_details',
          same: [
            '$.user_id',
            { path: '$.payment_methods[*].payment_id', in_result: '$.payment_methods.*.id' },
          ],
        },
      },
    ],
    good: [[details, book(1, 'gift_1', 'card_2')]],
    bad: [[details, book(1, 'gift_1', 'card_9')], [book(1, 'gift_1')]],
  },
  {
    words: 'in part: new items are available',
    rules: [
      {
        when: { tool: 'modify_*_items' },
        before: {
          tool: 'get_product_details',
          same: [{ path: '$.new_item_ids[*]', in_result: '$.variants[?@.available==true].item_id' }],
        },
      },
    ],
    good: [[product(true), items()]],
    bad: [[product(false), items()]],
  },
  {
    words: 'in part: a basic economy reservation is not changed',
    rules: [
      {
        when: { tool: 'update_reservation_flights' },
        before: {
          tool: 'get_reservation_details',
          same: ['$.reservation_id'],
          result: [{ path: '$.cabin', op: 'not_equals', value: 'basic_economy' }],
        },
      },
    ],
    good: [[reservation('economy'), flights]],
    bad: [[reservation('basic_economy'), flights]],
  },
];

const traceFrom = (steps: Policy['good'][number]) =>
  traceOf(
    steps.flatMap((step, at) =>
      (typeof step[0] === 'string' ? [step as Made] : (step as readonly Made[])).map(
        ([tool, members, result]) => ({
          type: 'call',
          tool,
          step: at,
          arguments: members,
          ...(result !== undefined && { result: JSON.stringify(result) }),
        }),
      ),
    ),
  );

describe('a written policy separates good traces from bad ones:', () => {
  test.each(POLICIES.map((policy) => [policy.words, policy] as const))(
    '%s',
    async (_, { rules, forbidden, good, bad }) => {
      const named = rules?.map((rule, at) => ({ name: `Rule ${at}`, ...rule }));
      const config = { allow_extra: true, ...(named && { rules: named }), ...(forbidden && { forbidden }) };
      expect(await validateScorerConfig('trajectory', config)).toMatchObject({ ok: true });
      expect(good.map((steps) => outcomeOf(config, traceFrom(steps)).score)).toEqual(good.map(() => 1));
      expect(bad.map((steps) => outcomeOf(config, traceFrom(steps)).neverPasses)).toEqual(
        bad.map(() => 'by_deed'),
      );
    },
  );
});
