import { expect, test } from '@jest/globals';
import { readConfig } from '../../../shared/runtime/config.ts';

const issuerOf = (GITHUB_OIDC_ISSUER?: string): string =>
  readConfig({ TABLE_NAME: 'evalgate', GITHUB_OIDC_ISSUER }).githubOidcIssuer;

test("the OIDC issuer is GitHub's own unless another is named", () => {
  expect(issuerOf()).toBe('https://token.actions.githubusercontent.com');
  expect(issuerOf('')).toBe('https://token.actions.githubusercontent.com');
});

test.each([
  'https://github.example.com/_services/token',
  'https://token.actions.octocorp.ghe.com',
  'http://127.0.0.1:8443',
  'http://localhost:8443/token',
  'http://[::1]:8443',
])('%s may be the OIDC issuer', (issuer) => {
  expect(issuerOf(issuer)).toBe(issuer);
});

test.each([
  'http://token.actions.githubusercontent.com',
  'http://127.0.0.1.example.com',
  'http://10.0.0.1',
  'https://github.example.com/',
  'https://github.example.com?x=1',
  'https://github.example.com/#x',
  'https://user:secret@github.example.com',
  'file:///etc/keys',
  'github.example.com',
])('%s may not be the OIDC issuer', (issuer) => {
  expect(() => issuerOf(issuer)).toThrow('GITHUB_OIDC_ISSUER');
});
