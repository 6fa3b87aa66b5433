import { isOwnPath } from '../domain/own-path.ts';
import { Problem } from '../domain/problem.ts';
import type { FailedAttempts } from './authenticate.ts';
import { type ClientStore, type IssuerLogin, IssuerLoginFailed, type LoginSecrets } from './ports.ts';
import type { BeginSession, StartedSession } from './sessions.ts';
import type { Verify } from './verify.ts';

/**
 * Signs people in by an external issuer. The access token that it gives for them is verified as one that a program sends, so the same
 * subjects have the same clients and scopes; it is not kept. Both operations reject with `SignInFailed`, and with RATE_LIMITED after
 * too many failures.
 */
export function externalSignIn(deps: {
  /** The issuer, as in the `iss` claim of its tokens. */
  readonly issuer: string;
  readonly login: IssuerLogin;
  /** Verifies an access token of that issuer. */
  readonly verify: Verify;
  readonly clients: Pick<ClientStore, 'get'>;
  readonly failures: FailedAttempts;
  readonly begin: BeginSession;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}) {
  const { issuer, login, verify, clients, failures, begin, now } = deps;

  /** Throws `IssuerLoginFailed` and `Problem`. */
  async function sessionBy(query: string, secrets: LoginSecrets): Promise<StartedSession> {
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

    /**
     * Begins a sign-in. Send the browser to `address`, and let it keep `ticket`, for ten minutes, until it comes back with `state`.
     * `returnTo`: the page that it wants, a path of this service (`isOwnPath`). `address` of the arguments: the IP address of the
     * request.
     */
    async start(
      returnTo: string,
      address: string,
    ): Promise<{ readonly address: string; readonly state: string; readonly ticket: string }> {
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

    /** Ends it, by the query with which the issuer sent the browser back. The session has the scopes that the issuer granted. */
    async finish({
      query,
      ticket: text,
      address,
    }: {
      readonly query: string;
      readonly ticket: string | undefined;
      readonly address: string;
    }): Promise<{ readonly session: StartedSession; readonly returnTo: string }> {
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

export type ExternalSignIn = ReturnType<typeof externalSignIn>;

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

/**
 * Why a person is not signed in by the issuer. `NOT_BEGUN`: not in this browser. `EXPIRED`: it took too long. `DENIED`: the person or
 * the issuer said no. `NOT_A_CLIENT`: no client has the person's subject. `REJECTED`: what came back is wrong. `UNAVAILABLE`: the
 * issuer did not reply.
 */
type SignInFailure = 'NOT_BEGUN' | 'EXPIRED' | 'DENIED' | 'NOT_A_CLIENT' | 'REJECTED' | 'UNAVAILABLE';

/** A person is not signed in. The cause is for the log. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly reason: SignInFailure;
  /** The page that the person wanted. */
  readonly returnTo: string;

  constructor(reason: SignInFailure, returnTo: string, cause: unknown) {
    super(`The sign-in by the issuer failed: ${reason}`, { cause });
    this.reason = reason;
    this.returnTo = returnTo;
  }
}

/** How long a person may take to log in at the issuer. */
const TICKET_SECONDS = 600;

/** What the browser keeps between the start of a sign-in by the issuer and its end. */
interface SignInTicket extends LoginSecrets {
  /** The page to show afterwards: a path of this service. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const NAMES = ['state', 'nonce', 'verifier', 'returnTo'] as const;

/** A ticket as text for a cookie. It is not signed: it protects only the browser that has it. */
const writeTicket = (ticket: SignInTicket): string => Buffer.from(JSON.stringify(ticket)).toString('base64url');

/** Reads a ticket. Returns undefined if the text is not one. */
function readTicket(text: string | undefined): SignInTicket | undefined {
  try {
    const read = JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8')) as Partial<SignInTicket> | null;
    if (typeof read?.expiresAt !== 'number') return undefined;
    if (NAMES.some((name) => typeof read[name] !== 'string' || read[name] === '')) return undefined;
    const ticket = read as SignInTicket;
    return { ...ticket, returnTo: isOwnPath(ticket.returnTo) ? ticket.returnTo : '/' };
  } catch {
    return undefined;
  }
}
