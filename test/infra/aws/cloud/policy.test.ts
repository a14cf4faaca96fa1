import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Statement } from './deployed.ts';
import { allows, matchesArn, type Right, statementSchema } from './policy.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/evalgate';
const KEY = 'arn:aws:kms:us-east-1:000000000000:key/1234';

const right = (action: string, resource = TABLE, context: Right['context'] = {}): Right => ({
  action,
  resource,
  context,
});
const statement = (changes: Partial<Statement> = {}): Statement => ({
  actions: ['dynamodb:GetItem', 'dynamodb:Query'],
  resources: [TABLE],
  condition: {},
  ...changes,
});

describe('a statement', () => {
  test('allows exactly its actions, in any case, on its resources', () => {
    const statements = [statement()];
    expect(allows(statements, right('dynamodb:Query'))).toBe(true);
    expect(allows(statements, right('dynamodb:query'))).toBe(true);
    expect(allows(statements, right('dynamodb:PutItem'))).toBe(false);
    expect(allows(statements, right('dynamodb:Query', `${TABLE}/index/one`))).toBe(false);
    expect(allows(statements, right('dynamodb:Query', TABLE.toUpperCase()))).toBe(false);
    expect(allows([], right('dynamodb:Query'))).toBe(false);
  });

  test('allows all of a request or nothing: two halves make no whole', () => {
    const halves = [
      statement({ resources: ['arn:aws:dynamodb:us-east-1:000000000000:table/other'] }),
      statement({ actions: ['dynamodb:PutItem'] }),
    ];
    expect(allows(halves, right('dynamodb:GetItem'))).toBe(false);
  });

  test('Null tests whether a key exists, StringEquals its value', () => {
    const encrypt = statement({
      actions: ['kms:Encrypt'],
      resources: [KEY],
      condition: { Null: { 'kms:EncryptionContext:org': 'false', 'kms:EncryptionContext:test': 'true' } },
    });
    const asked = (context: Right['context']) => allows([encrypt], right('kms:Encrypt', KEY, context));
    expect(asked({ 'kms:EncryptionContext:org': 'a' })).toBe(true);
    expect(asked({})).toBe(false);
    expect(asked({ 'kms:EncryptionContext:org': 'a', 'kms:EncryptionContext:test': 'b' })).toBe(false);
    const sign = statement({
      actions: ['kms:Sign'],
      resources: [KEY],
      condition: { StringEquals: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' } },
    });
    const signed = (context: Right['context']) => allows([sign], right('kms:Sign', KEY, context));
    expect(signed({ 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' })).toBe(true);
    expect(signed({ 'kms:SigningAlgorithm': 'RSASSA_PSS_SHA_256' })).toBe(false);
    expect(signed({})).toBe(false);
  });

  test('StringNotEquals holds for another value, and for none', () => {
    const condition = { StringNotEquals: { 'kms:EncryptionContext:provider': 'sign_in' } };
    const decrypt = statement({ actions: ['kms:Decrypt'], resources: [KEY], condition });
    const opened = (context: Right['context']) => allows([decrypt], right('kms:Decrypt', KEY, context));
    expect(opened({ 'kms:EncryptionContext:provider': 'openai' })).toBe(true);
    expect(opened({})).toBe(true);
    expect(opened({ 'kms:EncryptionContext:provider': 'sign_in' })).toBe(false);
  });

  test('with ForAllValues asks of each value whether it is like one of the policy’s, and of none nothing', () => {
    const update = (Null: Statement['condition']) =>
      statement({
        actions: ['dynamodb:UpdateItem'],
        condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RATE#auth#*', 'KEY#?'] },
          ...Null,
        },
      });
    const asked = (context: Right['context'], of = update({ Null: { 'dynamodb:LeadingKeys': 'false' } })) =>
      allows([of], right('dynamodb:UpdateItem', TABLE, context));
    const of = (...keys: string[]) => asked({ 'dynamodb:LeadingKeys': keys });
    expect(of('RATE#auth#::1')).toBe(true);
    expect(of('RATE#auth#', 'KEY#1')).toBe(true);
    expect(of('RATE#auth', 'KEY#1')).toBe(false);
    expect(of('RATE#auth#1', 'ORG#1')).toBe(false);
    expect(of('ORG#RATE#auth#1')).toBe(false);
    expect(of('rate#auth#1')).toBe(false);
    expect(of('KEY#12')).toBe(false);
    expect([of(), asked({})]).toEqual([false, false]);
    // The mistake of a policy without a Null condition.
    expect(asked({}, update({}))).toBe(true);
  });

  test('with a condition that is not known here throws, rather than allow or refuse', () => {
    const unknown = statement({ condition: { StringLike: { 'kms:SigningAlgorithm': '*' } } });
    expect(() => allows([unknown], right('dynamodb:GetItem'))).toThrow('StringLike');
  });
});

describe('a pattern', () => {
  const part = fc.stringMatching(/^[\w./$-]{0,8}$/);
  const arn = fc.array(part, { minLength: 6, maxLength: 8 }).map((parts) => parts.join(':'));

  test('without wildcards means itself only', () => {
    fc.assert(fc.property(arn, arn, (one, other) => expect(matchesArn(one, other)).toBe(one === other)));
  });

  test('wildcards match any text within one part', () => {
    fc.assert(
      fc.property(arn, fc.nat(), fc.nat(), (text, first, second) => {
        const [from = 0, to = 0] = [first, second].map((at) => at % (text.length + 1)).sort((a, b) => a - b);
        const replaced = text.slice(from, to);
        const pattern = `${text.slice(0, from)}*${text.slice(to)}`;
        const spansParts = replaced.includes(':') && text.slice(0, from).split(':').length <= 5;
        expect(matchesArn(pattern, text)).toBe(!spansParts);
        if (replaced.length === 1 && replaced !== ':')
          expect(matchesArn(pattern.replace('*', '?'), text)).toBe(true);
      }),
    );
  });

  test('has no other special characters', () => {
    expect(matchesArn('arn:aws:sqs:r:1:a.b+(c)|[d]$', 'arn:aws:sqs:r:1:a.b+(c)|[d]$')).toBe(true);
    expect(matchesArn('arn:aws:sqs:r:1:*.b', 'arn:aws:sqs:r:1:axb')).toBe(false);
  });
});

describe('a statement of a template', () => {
  const written = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: TABLE };

  test('is read with one or several actions and resources', () => {
    expect(statementSchema.parse(written)).toEqual({
      actions: ['dynamodb:GetItem'],
      resources: [TABLE],
      condition: {},
    });
    const several = { ...written, Action: ['kms:Sign', 'kms:Encrypt'], Resource: [KEY, TABLE] };
    expect(statementSchema.parse(several)).toMatchObject({
      actions: several.Action,
      resources: several.Resource,
    });
  });

  test('is read with conditions', () => {
    const Condition = {
      Null: { 'dynamodb:LeadingKeys': 'false' },
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RATE#*'] },
    };
    expect(statementSchema.parse({ ...written, Condition })).toMatchObject({ condition: Condition });
  });

  test.each([
    ['a denial', { Effect: 'Deny' }],
    ['a principal', { Principal: '*' }],
    ['a wildcard among actions', { Action: 'dynamodb:*' }],
    ['something else than an ARN', { Resource: 'evalgate' }],
    ['an unknown condition', { Condition: { StringLike: { 'kms:SigningAlgorithm': '*' } } }],
    ['a condition on what requests do not come with', { Condition: { Null: { 'aws:SourceVpc': 'true' } } }],
    ['a single value', { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'a' } } }],
    [
      'several values of one',
      { Condition: { 'ForAllValues:StringLike': { 'kms:SigningAlgorithm': ['a'] } } },
    ],
    ['one value of several', { Condition: { StringEquals: { 'dynamodb:LeadingKeys': 'a' } } }],
  ])('with %s is not misread, but refused', (_, change) => {
    expect(statementSchema.safeParse({ ...written, ...change }).success).toBe(false);
  });
});
