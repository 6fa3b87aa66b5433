import { Problem } from '../../domain/problem.ts';
import type { FailedAttempts } from '../clients/failed-attempts.ts';
import type { ExternalSignIn, StartedSession, TokenOperations } from '../operations.ts';
import { type ClientRecord, type ClientStore, type IssuerLogin, IssuerLoginFailed } from '../ports.ts';
import { SignInFailed, type SignInFailure } from './sign-in-failed.ts';
import { readTicket, TICKET_SECONDS, writeTicket } from './sign-in-ticket.ts';

/**
 * Signs people in by an external issuer. The access token that it gives for them is verified as one that a program sends, so the same
 * subjects have the same clients and scopes; it is not kept.
 */
export function createExternalSignIn(deps: {
  readonly issuer: string;
  readonly login: IssuerLogin;
  /** Verifies an access token of that issuer. */
  readonly verify: TokenOperations['verify'];
  readonly clients: Pick<ClientStore, 'get'>;
  readonly failures: FailedAttempts;
  readonly begin: (client: ClientRecord, scopes: ClientRecord['scopes']) => Promise<StartedSession>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): ExternalSignIn {
  const { issuer, login, verify, clients, failures, begin, now } = deps;

  /** Throws `IssuerLoginFailed` and `Problem`. */
  async function sessionBy(query: string, secrets: Parameters<IssuerLogin['finish']>[1]): Promise<StartedSession> {
    const { accessToken, subject } = await login.finish(query, secrets);
    const { clientId, scopes } = await verify(accessToken);
    const client = await clients.get(clientId);
    // The person who logged in, and not another one whose token the issuer gave.
    if (client === undefined || client.externalSubject !== subject)
      throw new IssuerLoginFailed('REJECTED', new Error('the ID token and the access token have different subjects'));
    return begin(client, scopes);
  }

  return {
    issuer,

    async start(returnTo, address) {
      await failures.check({ address });
      try {
        const begun = await login.begin();
        return {
          address: begun.address,
          state: begun.secrets.state,
          ticket: writeTicket({ ...begun.secrets, returnTo, expiresAt: now() + TICKET_SECONDS * 1000 }),
        };
      } catch (error) {
        throw asFailure(error, returnTo);
      }
    },

    async finish({ query, ticket: text, address }) {
      await failures.check({ address });
      const ticket = readTicket(text);
      // A ticket of another sign-in belongs to another tab, or another browser has begun this one.
      if (ticket === undefined || ticket.state !== new URLSearchParams(query).get('state'))
        throw new SignInFailed('NOT_BEGUN', '/', undefined);
      const { returnTo, expiresAt, ...secrets } = ticket;
      if (now() >= expiresAt) throw new SignInFailed('EXPIRED', returnTo, undefined);
      try {
        return { session: await sessionBy(query, secrets), returnTo };
      } catch (error) {
        const failure = asFailure(error, returnTo);
        // Each costs requests to the issuer.
        if (failure instanceof SignInFailed && COUNTED.has(failure.reason)) await failures.count({ address });
        throw failure;
      }
    },
  };
}

/** What counts as a failed attempt of the address. */
const COUNTED: ReadonlySet<SignInFailure> = new Set(['REJECTED', 'NOT_A_CLIENT']);

/** The failure for people. Other errors stay as they are. */
function asFailure(error: unknown, returnTo: string): unknown {
  if (error instanceof IssuerLoginFailed) return new SignInFailed(error.reason, returnTo, error.cause);
  if (!(error instanceof Problem)) return error;
  switch (error.code) {
    case 'NOT_A_CLIENT':
    case 'UNAVAILABLE':
      return new SignInFailed(error.code, returnTo, error);
    case 'INVALID_TOKEN':
    case 'INVALID_CLIENT':
      return new SignInFailed('REJECTED', returnTo, error);
    default:
      return error;
  }
}
