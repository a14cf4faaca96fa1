import { expect, test } from '@jest/globals';
import { complaintsOf } from './unusedRights.ts';

const held = new Map([
  ['projects/create', ['logs:PutLogEvents', 'dynamodb:PutItem', 'dynamodb:Query']],
  ['projects/get', ['dynamodb:GetItem']],
]);
const used = new Map([
  ['projects/create', new Set(['dynamodb:PutItem', 'dynamodb:Query'])],
  ['projects/get', new Set(['dynamodb:GetItem'])],
]);
const byLambda = { '*': { 'logs:PutLogEvents': 'Lambda' } };

test('rights that were all used, or are explained for all functions, are fine', () => {
  expect(complaintsOf(held, used, byLambda)).toEqual([]);
});

test('each right that was never used is named with its function', () => {
  const less = new Map([['projects/create', new Set(['dynamodb:PutItem'])]]);
  expect(complaintsOf(held, less, byLambda)).toEqual([
    expect.stringMatching('projects/create never used dynamodb:Query:'),
    expect.stringMatching('projects/get never used dynamodb:GetItem:'),
  ]);
});

test('an explanation is good for its function and action only, and only while it is needed', () => {
  const explained = {
    ...byLambda,
    'projects/create': {
      'dynamodb:Query': 'rare',
      'dynamodb:PutItem': 'used by now',
      'dynamodb:Scan': 'no right',
    },
  };
  const less = new Map([['projects/create', new Set(['dynamodb:PutItem'])]]);
  expect(complaintsOf(held, less, explained)).toEqual([
    expect.stringMatching('projects/get never used dynamodb:GetItem:'),
    expect.stringMatching('projects/create needs no explanation for dynamodb:PutItem:'),
    expect.stringMatching('projects/create needs no explanation for dynamodb:Scan:'),
  ]);
});
