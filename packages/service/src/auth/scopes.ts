import { allows, type Caller, SCOPES, type Scope } from '@telecine/contract/domain/client.ts';
import { invalidRequest, MAX_FIELD_ERRORS, Problem } from '@telecine/contract/domain/problem.ts';

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

const covers = (clientScopes: readonly Scope[], scope: Scope): boolean =>
  clientScopes.includes(scope) || clientScopes.includes('admin');

/**
 * Reads scope names, without duplicates. For an unknown name, throws INVALID_REQUEST (UNKNOWN_SCOPE), which suggests
 * the most similar scope.
 */
export function readScopes(names: readonly string[]): readonly Scope[] {
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0)
    throw invalidRequest(
      unknown.slice(0, MAX_FIELD_ERRORS + 1).map((name) => ({
        field: '/scope',
        code: 'UNKNOWN_SCOPE',
        message: `"${name.slice(0, 64)}" is not a scope.`,
        nearest: { given: name, names: SCOPES, is: 'word' },
      })),
    );
  return [...new Set(names.filter(isScope))];
}

/**
 * Returns the scopes of a new token: those that were requested, by default all scopes of the client. Throws
 * INSUFFICIENT_SCOPE.
 */
export function grantScopes(clientScopes: readonly Scope[], requested: readonly string[] = []): readonly Scope[] {
  const scopes = readScopes(requested);
  if (scopes.length === 0) return clientScopes;
  const missing = scopes.filter((scope) => !covers(clientScopes, scope));
  if (missing.length > 0)
    throw new Problem(
      'INSUFFICIENT_SCOPE',
      `The client does not have the scope ${missing.join(', ')}. It can request: ${clientScopes.join(', ')}.`,
    );
  return scopes;
}

/** Returns those scopes of a token that its client still has. */
export const intersectScopes = (granted: readonly Scope[], clientScopes: readonly Scope[]): readonly Scope[] =>
  granted.filter((scope) => covers(clientScopes, scope));

/** Reads the scopes in a `scope` claim. Ignores unknown names. */
export const readScopeClaim = (claim: string): readonly Scope[] => claim.split(' ').filter(isScope);

/** Throws INSUFFICIENT_SCOPE if the token lacks `scope`. The error names the scopes to request for the next token. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (allows(caller, scope)) return;
  throw new Problem(
    'INSUFFICIENT_SCOPE',
    `The scope ${scope} is required; the access token has: ${caller.scopes.join(', ') || 'none'}. ` +
      'Use a token of a client with this scope.',
    { scopes: [...caller.scopes, scope] },
  );
}
