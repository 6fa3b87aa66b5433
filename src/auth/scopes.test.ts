import { expect, test } from 'vitest';
import type { MediaRoot } from '../domain/media-root.ts';
import { grantScopes, intersectScopes, readScopeClaim, readScopes, requireScope } from './scopes.ts';

const caller = (...scopes: Parameters<typeof intersectScopes>[0]) => ({
  clientId: 'a',
  root: { pathPrefix: '/' } as MediaRoot,
  policy: {},
  scopes,
});

test('a slip in a scope names the one that was meant', () => {
  expect(() => readScopes(['job:read'])).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      errors: [expect.objectContaining({ field: '/scope', code: 'UNKNOWN_SCOPE', fix: 'Send "jobs:read".' })],
    }),
  );
  expect(readScopes(['jobs:read', 'jobs:read'])).toEqual(['jobs:read']);
});

test('without asking a token gets all that its client holds', () => {
  expect(grantScopes(['jobs:read', 'files:read'])).toEqual(['jobs:read', 'files:read']);
});

test('less may be asked for, more may not', () => {
  expect(grantScopes(['jobs:read', 'files:read'], ['files:read'])).toEqual(['files:read']);
  expect(grantScopes(['admin'], ['jobs:read'])).toEqual(['jobs:read']);
  expect(() => grantScopes(['jobs:read'], ['admin'])).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
});

test('what a client no longer holds its tokens do not allow', () => {
  expect(intersectScopes(['jobs:read', 'jobs:write'], ['jobs:read'])).toEqual(['jobs:read']);
  expect(intersectScopes(['admin', 'jobs:read'], ['jobs:read'])).toEqual(['jobs:read']);
});

test('a claim with names of another version allows only what is known here', () => {
  expect(readScopeClaim('jobs:read moon:land')).toEqual(['jobs:read']);
});

test('a missing scope is refused by name; admin includes all', () => {
  expect(() => requireScope(caller('jobs:read'), 'jobs:write')).toThrow(/scope jobs:write is required.*has: jobs:read/);
  requireScope(caller('jobs:write'), 'jobs:write');
  requireScope(caller('admin'), 'jobs:write');
});
