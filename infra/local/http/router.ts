import type { Contract } from '../../../shared/contracts/base/contract.ts';
import { methodsOf } from '../../../shared/contracts/base/methods.ts';

export interface Match {
  readonly contract: Contract;
  /** In API Gateway's form: `GET /v1/projects/{slug}`. */
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type Router = (method: string, rawPath: string) => Match;

interface Route {
  readonly method: string;
  readonly contract: Contract;
  readonly routeKey: string;
  readonly segments: readonly string[];
}

const DEFAULT_PATH = '$default';

/** Finds the endpoint of a request, or the default one where nothing matches or decoding fails. */
export function createRouter(contracts: readonly Contract[]): Router {
  const fallback = contracts.find(({ path }) => path === DEFAULT_PATH);
  if (fallback === undefined) throw new Error(`No contract has the path ${DEFAULT_PATH}.`);
  const routes = contracts.filter((contract) => contract !== fallback).flatMap(toRoutes);
  routes.sort(literalsFirst);
  const byShape = Map.groupBy(routes, ({ method, segments }) => shapeOf(method, segments.length));
  const unmatched: Match = { contract: fallback, routeKey: DEFAULT_PATH, pathParameters: {} };

  return (method, rawPath) => {
    const segments = decodeSegments(rawPath);
    if (segments === undefined) return unmatched;
    const candidates = byShape.get(shapeOf(method, segments.length)) ?? [];
    const route = candidates.find((candidate) => matches(candidate, segments));
    if (route === undefined) return unmatched;
    const { contract, routeKey } = route;
    return { contract, routeKey, pathParameters: parametersOf(route, segments) };
  };
}

const shapeOf = (method: string, segmentCount: number): string => `${method} ${segmentCount}`;
const isParameter = (segment: string): boolean => segment.startsWith(':');

function toRoutes(contract: Contract): Route[] {
  const path = contract.path.replaceAll(/:(\w+)/g, '{$1}');
  const segments = contract.path.split('/').slice(1);
  return methodsOf(contract).map((method) => ({ method, contract, routeKey: `${method} ${path}`, segments }));
}

/** Sorts `/suites/from-template` before `/suites/:suiteSlug`. */
function literalsFirst(a: Route, b: Route): number {
  for (const [index, segment] of a.segments.entries()) {
    const order = Number(isParameter(segment)) - Number(isParameter(b.segments[index] ?? ''));
    if (order !== 0) return order;
  }
  return 0;
}

function decodeSegments(rawPath: string): string[] | undefined {
  if (!rawPath.startsWith('/')) return undefined;
  try {
    return rawPath.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function matches(route: Route, segments: readonly string[]): boolean {
  return route.segments.every((expected, index) => {
    const actual = segments[index];
    return isParameter(expected) ? actual !== '' : actual === expected;
  });
}

function parametersOf(route: Route, segments: readonly string[]): Record<string, string> {
  const entries = route.segments.flatMap((name, index) =>
    isParameter(name) ? [[name.slice(1), segments[index] ?? ''] as const] : [],
  );
  return Object.fromEntries(entries);
}
