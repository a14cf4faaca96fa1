import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './table.ts';

type Attributes = Record<string, AttributeValue>;

/** In DynamoDB's own types; fields that are undefined are left out. */
export const toAttributes = (item: object): Attributes => marshall(item, { removeUndefinedValues: true });

export const fromAttributes = (attributes: Attributes): Item => unmarshall(attributes);

interface Native {
  readonly Key?: object | undefined;
  readonly Item?: object | undefined;
  readonly ExpressionAttributeValues?: object | undefined;
}

type Marshalled<Input> = {
  [Name in keyof Input]: Name extends keyof Native ? Attributes : Input[Name];
};

/** A request with its key, item and values in DynamoDB's own types. */
export function withAttributes<Input extends Native>(input: Input): Marshalled<Input> {
  const { Key, Item, ExpressionAttributeValues } = input;
  return {
    ...input,
    ...(Key && { Key: toAttributes(Key) }),
    ...(Item && { Item: toAttributes(Item) }),
    ...(ExpressionAttributeValues && { ExpressionAttributeValues: toAttributes(ExpressionAttributeValues) }),
  } as Marshalled<Input>;
}
