import * as z from 'zod';
import { type Contract, errorsOf } from '../../../shared/contracts/base/contract.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../shared/contracts/base/errors.ts';
import { scopesFor } from '../../../shared/contracts/base/scopes.ts';
import type { Example } from '../examples/example.ts';
import { examplesOf } from '../examples/examples.ts';
import { clientSamplesOf } from './clientSamples.ts';
import { declarationOf } from './contractComments.ts';
import { operationIdOf, shapeOf, takesCredential } from './contractParts.ts';
import { curlOf } from './samples.ts';
import { refTo, schemaOf } from './schemas.ts';
import { tagOf } from './tags.ts';
import type { Answer, CodeSample, MediaType, Operation, Parameter } from './types.ts';

export function operationOf(contract: Contract): Operation {
  const { summary, access, scope = 'full' } = contract;
  const examples = examplesOf(contract.id);
  const parameters = parametersOf(contract);
  const requestBody = requestBodyOf(contract, examples);
  return {
    operationId: operationIdOf(contract),
    tags: [tagOf(contract)],
    summary,
    'x-scopes': access === 'public' ? [] : scopesFor(scope),
    security: takesCredential(contract) ? [{ bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successesOf(contract), ...errorAnswersOf(contract) },
    ...(examples.length > 0 && { 'x-codeSamples': samplesOf(contract, examples) }),
  };
}

const samplesOf = (contract: Contract, examples: readonly Example[]): CodeSample[] =>
  examples.flatMap((example) => [curlOf(contract, example), ...clientSamplesOf(example)]);

/** What the names in paths mean, which have no comments in the contracts. */
const NAMES_IN_PATHS: Readonly<Record<string, string>> = {
  slug: 'The slug of the project; of a template, its own.',
  suiteSlug: 'The slug of the suite, unique in its project.',
  runId: 'As the answer of the run names it.',
};

/** `Idempotency-Key` of `idempotency-key`. */
const headerName = (name: string): string =>
  name.replaceAll(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());

function parametersOf(contract: Contract): Parameter[] {
  const { params, query, headers } = contract;
  const { authorization: _, ...otherHeaders } = shapeOf(headers);
  return [
    ...Object.entries(shapeOf(params)).map(([name, schema]) => parameter(contract, ['path', name, schema])),
    ...Object.entries(shapeOf(query)).map(([name, schema]) => parameter(contract, ['query', name, schema])),
    ...Object.entries(otherHeaders).map(([name, schema]) => parameter(contract, ['header', name, schema])),
  ];
}

type Place = readonly [place: Parameter['in'], name: string, schema: z.ZodType];

/** Its comment is found by its field in the contract's source, as those of a body's fields are. */
function parameter(contract: Contract, [place, field, schema]: Place): Parameter {
  const inBody = schemaOf(z.object({ [field]: schema }), 'input', declarationOf(contract));
  const printed = inBody.properties?.[field] ?? {};
  const { description = place === 'path' ? NAMES_IN_PATHS[field] : undefined, ...rest } = printed;
  return {
    name: place === 'header' ? headerName(field) : field,
    in: place,
    required: inBody.required?.includes(field) === true,
    ...(description && { description }),
    schema: { ...rest, ...(schema instanceof z.ZodDefault && { default: schema.def.defaultValue }) },
  };
}

function requestBodyOf(
  { id, body, rawBody, bodyIsOptional, ...contract }: Contract,
  examples: readonly Example[],
): Operation['requestBody'] {
  if (rawBody) {
    const description = 'As the sender signed it.';
    return { required: true, description, content: { 'application/json': { schema: {} } } };
  }
  if (body === undefined) return undefined;
  const schema = schemaOf(body, 'input', declarationOf({ id, ...contract }));
  const shown = examples
    .filter((example) => example.body !== undefined)
    .map((example): [string, { summary: string; value: unknown }] => [
      example.name,
      { summary: example.title, value: example.body },
    ]);
  const media: MediaType = { schema, ...(shown.length > 0 && { examples: Object.fromEntries(shown) }) };
  return { required: bodyIsOptional !== true, content: { 'application/json': media } };
}

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the run is pending.',
  204: 'Done; the answer has no body.',
  503: 'The table does not answer.',
};

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
const RATE_HEADERS = {
  ...header('RateLimit-Limit'),
  ...header('RateLimit-Remaining'),
  ...header('RateLimit-Reset'),
};

/** The headers of every answer of the endpoint. */
const headersOf = ({ rateClass }: Contract) => (rateClass === 'none' ? {} : RATE_HEADERS);

const withHeaders = (headers: Answer['headers']): Pick<Answer, 'headers'> =>
  headers === undefined || Object.keys(headers).length === 0 ? {} : { headers };

function successesOf(contract: Contract): Record<string, Answer> {
  const repeats = 'idempotency-key' in shapeOf(contract.headers) ? header('Idempotency-Replayed') : {};
  const answers = Object.entries(contract.responses).map(([status, schema]): [string, Answer] => [
    status,
    {
      description: SUCCESSES[status] ?? 'Done.',
      ...withHeaders({ ...headersOf(contract), ...repeats }),
      ...(schema && { content: { [mediaTypeOf(contract)]: { schema: answerSchema(contract, schema) } } }),
    },
  ]);
  return Object.fromEntries(answers);
}

const mediaTypeOf = ({ isPage }: Contract): string => (isPage ? 'text/html' : 'application/json');

const answerSchema = (contract: Contract, schema: z.ZodType) =>
  schemaOf(schema, 'output', declarationOf(contract));

/** Errors that pass by themselves. */
const PASSING: readonly ErrorCode[] = ['IDEMPOTENCY_IN_PROGRESS', 'RATE_LIMITED', 'STORAGE_FULL'];

/** Headers that say what to do about an error. */
function headersOfErrors(codes: readonly ErrorCode[]): Answer['headers'] {
  return {
    ...(codes.includes('UNAUTHORIZED') && header('WWW-Authenticate')),
    ...(codes.some((code) => PASSING.includes(code)) && header('Retry-After')),
  };
}

function errorAnswersOf(contract: Contract): Record<string, Answer> {
  const codes: ErrorCode[] = [...errorsOf(contract), 'INTERNAL_ERROR', 'STORAGE_FULL'];
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  const answers = [...byStatus].map(([status, codes]): [number, Answer] => [
    status,
    {
      description: `${codes.map((code) => `\`${code}\``).join(', ')}.`,
      ...withHeaders({ ...headersOf(contract), ...headersOfErrors(codes) }),
      content: { 'application/json': { schema: refTo('Error') } },
      'x-error-codes': codes,
    },
  ]);
  return Object.fromEntries(answers);
}
