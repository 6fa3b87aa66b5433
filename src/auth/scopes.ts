import { allows, type Caller, SCOPES, type Scope } from '../domain/client.ts';
import { closestMatch } from '../domain/closest-match.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

const covers = (held: readonly Scope[], scope: Scope): boolean => held.includes(scope) || held.includes('admin');

/** Names as scopes, each once. Throws INVALID_REQUEST (UNKNOWN_SCOPE) that says which are meant. */
export function readScopes(names: readonly string[]): readonly Scope[] {
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0)
    throw invalidRequest(
      unknown.map((name) => {
        const near = closestMatch(name, SCOPES);
        return {
          field: '/scope',
          code: 'UNKNOWN_SCOPE',
          message: `"${name.slice(0, 64)}" is not a scope.`,
          allowed: SCOPES,
          ...(near === undefined ? {} : { fix: `Send "${near}".` }),
        };
      }),
    );
  return [...new Set(names.filter(isScope))];
}

/** What a token gets: the scopes asked for, or with none all that are held. Throws INSUFFICIENT_SCOPE. */
export function grantScopes(held: readonly Scope[], asked: readonly string[] = []): readonly Scope[] {
  const scopes = readScopes(asked);
  if (scopes.length === 0) return held;
  const missing = scopes.filter((scope) => !covers(held, scope));
  if (missing.length > 0)
    throw new Problem(
      'INSUFFICIENT_SCOPE',
      `The client does not hold ${missing.join(', ')}. It may ask for: ${held.join(', ')}.`,
    );
  return scopes;
}

/** Those of a token's scopes that its client still holds. */
export const intersectScopes = (granted: readonly Scope[], held: readonly Scope[]): readonly Scope[] =>
  granted.filter((scope) => covers(held, scope));

/** Reads a `scope` claim; names that this version does not know allow nothing and are left out. */
export const readScopeClaim = (claim: string): readonly Scope[] => claim.split(' ').filter(isScope);

/** Throws INSUFFICIENT_SCOPE, with all that the next token should hold, unless the token allows `scope`. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (allows(caller, scope)) return;
  throw new Problem(
    'INSUFFICIENT_SCOPE',
    `This needs the scope ${scope}; the access token has: ${caller.scopes.join(', ') || 'none'}. ` +
      'Obtain a token of a client that holds it.',
    { scopes: [...caller.scopes, scope] },
  );
}
