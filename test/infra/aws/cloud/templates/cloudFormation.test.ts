import { describe, expect, test } from '@jest/globals';
import type { AssembledStack, Template } from '../assembly.ts';
import { CloudFormation } from './cloudFormation.ts';

const TARGET = { account: '111122223333', queueBaseUrl: 'https://sqs.test', secrets: {} };

const TABLE = { Type: 'AWS::DynamoDB::Table', Properties: {} };
const stackOf = (name: string, template: object, region = 'us-east-1'): AssembledStack => ({
  name,
  region,
  template: { Resources: {}, ...template } as Template,
  assets: new Map(),
});

const placeholder = (name: string): string => `\${${name}}`;

/** The value of a property of a resource beside a table. */
function resolved(
  raw: unknown,
  { others = [], target = TARGET }: { others?: AssembledStack[]; target?: typeof TARGET } = {},
) {
  const Resources = { Table: TABLE, Topic: { Type: 'AWS::SNS::Topic', Properties: { raw } } };
  const stacks = [stackOf('here', { Resources }), ...others];
  return new CloudFormation(stacks, target).resources().find(({ logicalId }) => logicalId === 'Topic')
    ?.properties.raw;
}

const EXPORTING: object = {
  Resources: { Table: TABLE },
  Outputs: { One: { Value: { 'Fn::GetAtt': ['Table', 'Arn'] }, Export: { Name: 'there:One' } } },
};
const IMPORT = { 'Fn::ImportValue': 'there:One' };

describe('a reference gets its value', () => {
  const NAME = /^here-Table-[0-9A-F]{12}$/;

  test('of a resource, by name and by attribute, always the same', () => {
    expect(resolved({ Ref: 'Table' })).toMatch(NAME);
    expect(resolved({ Ref: 'Table' })).toBe(resolved({ Ref: 'Table' }));
    expect(resolved({ 'Fn::GetAtt': ['Table', 'Arn'] })).toBe(
      `arn:aws:dynamodb:us-east-1:111122223333:table/${resolved({ Ref: 'Table' })}`,
    );
  });

  test('of a place, joined or within a text', () => {
    expect(resolved({ 'Fn::Join': ['-', [{ Ref: 'AWS::Region' }, { Ref: 'AWS::AccountId' }, 1]] })).toBe(
      'us-east-1-111122223333-1',
    );
    expect(
      resolved({ 'Fn::Sub': `assets-${placeholder('AWS::AccountId')}-${placeholder('Table')}` }),
    ).toMatch(/^assets-111122223333-here-Table-/);
  });

  test('of another stack of its region', () => {
    expect(resolved(IMPORT, { others: [stackOf('there', EXPORTING)] })).toMatch(/table\/there-Table-/);
  });

  test('however deep it lies', () => {
    expect(resolved({ list: [{ inner: { Ref: 'AWS::Partition' }, other: true }] })).toEqual({
      list: [{ inner: 'aws', other: true }],
    });
  });
});

describe('a dangling reference throws', () => {
  test.each<[string, unknown, string]>([
    ['a resource that is not there', { Ref: 'Tabel' }, 'here has no resource Tabel'],
    ['an attribute that its kind has not', { 'Fn::GetAtt': ['Table', 'Url'] }, 'no attribute Url'],
    ['a pseudo parameter that is not known', { Ref: 'AWS::StackId' }, 'no resource AWS::StackId'],
    ['a function that is not known', { 'Fn::Select': [0, ['a']] }, 'Fn::Select'],
    ['an export that is not there', IMPORT, 'Nothing in us-east-1 exports there:One'],
    ['a text that is none', { 'Fn::Join': ['', [{ a: 1 }]] }, 'is no text'],
    ['a name within a text', { 'Fn::Sub': placeholder('Nothing') }, 'no resource Nothing'],
    ['a name of a part', { 'Fn::Sub': placeholder('Table.Arn') }, 'no resource Table.Arn'],
    ['a secret', '{{resolve:secretsmanager:arn:aws:nothing:SecretString:::}}', 'no secret arn:aws:nothing'],
    ['a version of a secret', '{{resolve:secretsmanager:arn:SecretString::AWSPREVIOUS:}}', 'AWSPREVIOUS'],
    ['a parameter', '{{resolve:ssm:/nothing}}', 'no parameter /nothing'],
    ['another store', '{{resolve:ssm-secure:/nothing}}', 'ssm-secure'],
  ])('%s', (_, raw, message) => {
    expect(() => resolved(raw)).toThrow(message);
    expect(() => resolved([{ inner: raw }])).toThrow('here/Topic: ');
  });

  test('an export of another region', () => {
    const others = [stackOf('there', EXPORTING, 'eu-west-1')];
    expect(() => resolved(IMPORT, { others })).toThrow('Nothing in us-east-1');
  });

  test('a kind of resource that nothing says the references of', () => {
    const Resources = { Volume: { Type: 'AWS::EC2::Volume', Properties: { Name: { Ref: 'Volume' } } } };
    expect(() => new CloudFormation([stackOf('here', { Resources })], TARGET).resources()).toThrow(
      'AWS::EC2::Volume',
    );
  });

  test('an output', () => {
    const stack = stackOf('here', { Outputs: { One: { Value: { Ref: 'Nothing' } } } });
    expect(() => new CloudFormation([stack], TARGET).resources()).toThrow('Nothing');
  });

  test.each<[string, object]>([
    ['Conditions', { Conditions: { IsProd: true } }],
    ['Transform', { Transform: 'AWS::Serverless-2016-10-31' }],
    ['Mappings', { Mappings: {} }],
    ['Condition', { Resources: { Table: { ...TABLE, Condition: 'IsProd' } } }],
  ])('a section that would change what is made: %s', (name, template) => {
    expect(() => new CloudFormation([stackOf('here', template)], TARGET).resources()).toThrow(name);
  });
});

describe('a secret', () => {
  const secret = (GenerateSecretString: object) => {
    const Resources = {
      Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString } },
    };
    return stackOf('there', {
      Resources,
      Outputs: { One: { Value: { Ref: 'Secret' }, Export: { Name: 'there:One' } } },
    });
  };
  const reference = (field = '') => ({
    'Fn::Join': ['', ['{{resolve:secretsmanager:', IMPORT, `:SecretString:${field}::}}`]],
  });

  test('is made up as it says, the same wherever it is referred to', () => {
    const others = [secret({ PasswordLength: 48, ExcludePunctuation: true })];
    const [one, two] = resolved([reference(), reference()], { others }) as string[];
    expect(one).toMatch(/^[A-Za-z0-9]{48}$/);
    expect(two).toBe(one);
    expect(resolved(reference(), { others })).not.toBe(one);
    expect(resolved(reference(), { others: [secret({})] })).toMatch(/^(?=.*[^A-Za-z0-9]).{32}$/);
  });

  test('has the fields that were filled by hand, and those only', () => {
    const others = [secret({ SecretStringTemplate: '{"ONE":"","TWO":"two"}', GenerateStringKey: 'made' })];
    const target = { ...TARGET, secrets: { ONE: 'filled', THREE: 'not of this secret' } };
    const read = (field: string) => resolved(reference(field), { others, target });
    expect([read('ONE'), read('TWO')]).toEqual(['filled', 'two']);
    expect(read('made')).toHaveLength(32);
    expect(() => read('THREE')).toThrow('no field THREE');
  });

  test('with settings that are not known here is not made', () => {
    const others = [secret({ ExcludeCharacters: ',' })];
    expect(() => resolved(reference(), { others })).toThrow('ExcludeCharacters');
  });
});
