import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { expect, test } from 'vitest';
import { grantScopes, intersectScopes, readScopeClaim, readScopes, requireScope } from './scopes.ts';

const caller = (...scopes: Parameters<typeof intersectScopes>[0]) => ({
  clientId: 'a',
  root: { pathPrefix: '/' } as MediaRoot,
  policy: {},
  scopes,
});

test('suggests the closest scope for a misspelled one', () => {
  expect(() => readScopes(['job:read'])).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      errors: [expect.objectContaining({ field: '/scope', code: 'UNKNOWN_SCOPE', fix: 'Send "jobs:read".' })],
    }),
  );
  expect(readScopes(['jobs:read', 'jobs:read'])).toEqual(['jobs:read']);
});

test('a token gets all scopes of its client by default', () => {
  expect(grantScopes(['jobs:read', 'files:read'])).toEqual(['jobs:read', 'files:read']);
});

test('a client can request fewer scopes than it has, but not others', () => {
  expect(grantScopes(['jobs:read', 'files:read'], ['files:read'])).toEqual(['files:read']);
  expect(grantScopes(['admin'], ['jobs:read'])).toEqual(['jobs:read']);
  expect(() => grantScopes(['jobs:read'], ['admin'])).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
});

test('a token no longer has a scope that its client has lost', () => {
  expect(intersectScopes(['jobs:read', 'jobs:write'], ['jobs:read'])).toEqual(['jobs:read']);
  expect(intersectScopes(['admin', 'jobs:read'], ['jobs:read'])).toEqual(['jobs:read']);
});

test('ignores unknown scopes in the claim of a token', () => {
  expect(readScopeClaim('jobs:read moon:land')).toEqual(['jobs:read']);
});

test('the error for a missing scope contains its name; admin includes all scopes', () => {
  expect(() => requireScope(caller('jobs:read'), 'jobs:write')).toThrow(/scope jobs:write is required.*has: jobs:read/);
  requireScope(caller('jobs:write'), 'jobs:write');
  requireScope(caller('admin'), 'jobs:write');
});
