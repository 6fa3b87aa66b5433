import type { Caller } from '@telecine/contract/domain/client.ts';
import { isOwnPath } from '@telecine/contract/domain/own-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FailedAttempts } from './authenticate.ts';
import { type ClientStore, type IssuerLogin, IssuerLoginFailed, type LoginReply, type LoginSecrets } from './ports.ts';
import type { BeginSession, StartedSession } from './sessions.ts';
import type { Verify } from './verify.ts';

/**
 * Signs people in with an external issuer. The access token of the issuer is verified like that of a program, and not
 * stored. Both operations reject with `SignInFailed`, or with RATE_LIMITED after too many failures.
 */
export function externalSignIn(deps: {
  /** The issuer, exactly as in the `iss` claim of its tokens. */
  readonly issuer: string;
  readonly login: IssuerLogin;
  /** Verifies an access token of this issuer. */
  readonly verify: Verify;
  readonly clients: Pick<ClientStore, 'get'>;
  readonly failures: FailedAttempts;
  readonly begin: BeginSession;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}) {
  const { issuer, login, verify, clients, failures, begin, now } = deps;

  /** Throws `IssuerLoginFailed`, `UnknownPerson` and `Problem`. */
  async function sessionBy(query: string, secrets: LoginSecrets): Promise<StartedSession> {
    const { accessToken, ...person } = await login.finish(query, secrets);
    const { subject } = person;
    const { clientId, scopes } = await callerOf(accessToken, person);
    const client = await clients.get(clientId);
    // The ID token and the access token must belong to the same person.
    if (client === undefined || client.externalSubject !== subject)
      throw new IssuerLoginFailed('REJECTED', new Error('the ID token and the access token have different subjects'));
    return begin(client, scopes);
  }

  async function callerOf(accessToken: string, person: SignInPerson): Promise<Caller> {
    try {
      return await verify(accessToken);
    } catch (error) {
      throw error instanceof Problem && error.code === 'NOT_A_CLIENT' ? new UnknownPerson(person, error) : error;
    }
  }

  return {
    issuer,

    /**
     * Begins a sign-in. Send the browser to `address`, and store `ticket` in it: within ten minutes, it must come back
     * with `state`.
     *
     * @param returnTo The page to show after the sign-in: a path of this service (`isOwnPath`).
     * @param address The IP address of the request.
     * @param isOtherAccount Whether the issuer asks who signs in, also if the browser is signed in there.
     */
    async start(
      returnTo: string,
      address: string,
      isOtherAccount = false,
    ): Promise<{ readonly address: string; readonly state: string; readonly ticket: string }> {
      await failures.check({ address });
      try {
        const begun = await login.begin(isOtherAccount);
        return {
          address: begun.address,
          state: begun.secrets.state,
          ticket: writeTicket({ ...begun.secrets, returnTo, expiresAt: now() + TICKET_SECONDS * 1000 }),
        };
      } catch (error) {
        throw asFailure(error, returnTo);
      }
    },

    /**
     * Ends a sign-in and starts a session with the scopes that the issuer granted. `query`: what the issuer added to
     * the address.
     */
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
      // The ticket belongs to another tab, or another browser has begun this sign-in.
      if (ticket === undefined || ticket.state !== new URLSearchParams(query).get('state'))
        throw new SignInFailed('NOT_BEGUN', '/', undefined);
      const { returnTo, expiresAt, ...secrets } = ticket;
      if (now() >= expiresAt) throw new SignInFailed('EXPIRED', returnTo, undefined);
      try {
        return { session: await sessionBy(query, secrets), returnTo };
      } catch (error) {
        const failure = asFailure(error, returnTo);
        // Count only failures that have caused requests to the issuer.
        if (failure instanceof SignInFailed && COUNTED.has(failure.reason)) await failures.count({ address });
        throw failure;
      }
    },
  };
}

export type ExternalSignIn = ReturnType<typeof externalSignIn>;

/** The failures that are counted for the address of the request. */
const COUNTED: ReadonlySet<SignInFailure> = new Set(['REJECTED', 'NOT_A_CLIENT']);

/** Converts an error to a failure that a person can understand. Returns other errors unchanged. */
function asFailure(error: unknown, returnTo: string): unknown {
  if (error instanceof IssuerLoginFailed) return new SignInFailed(error.reason, returnTo, error.cause);
  if (error instanceof UnknownPerson) return new SignInFailed('NOT_A_CLIENT', returnTo, error.cause, error.person);
  if (!(error instanceof Problem)) return error;
  switch (error.code) {
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
 * Why a sign-in failed.
 * - `NOT_BEGUN`: this browser has not begun it
 * - `EXPIRED`: it took too long
 * - `DENIED`: the person or the issuer denied it
 * - `NOT_A_CLIENT`: no client has the person's subject
 * - `REJECTED`: the reply of the issuer is invalid
 * - `UNAVAILABLE`: the issuer did not reply
 */
type SignInFailure = 'NOT_BEGUN' | 'EXPIRED' | 'DENIED' | 'NOT_A_CLIENT' | 'REJECTED' | 'UNAVAILABLE';

/** Who has logged in at the issuer. */
export type SignInPerson = Omit<LoginReply, 'accessToken'>;

/** Thrown if no client has the subject of a person. */
class UnknownPerson extends Error {
  override readonly name = 'UnknownPerson';
  readonly person: SignInPerson;

  constructor(person: SignInPerson, cause: Problem) {
    super(cause.message, { cause });
    this.person = person;
  }
}

/** Thrown if a sign-in failed. Its cause is for the log. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly reason: SignInFailure;
  /** The page that the person wanted to open. */
  readonly returnTo: string;
  /** Who it was. Only with `NOT_A_CLIENT`. */
  readonly person: SignInPerson | undefined;

  constructor(reason: SignInFailure, returnTo: string, cause: unknown, person?: SignInPerson) {
    super(`The sign-in by the issuer failed: ${reason}`, { cause });
    this.reason = reason;
    this.returnTo = returnTo;
    this.person = person;
  }
}

/** How long a person may take to sign in at the issuer. */
const TICKET_SECONDS = 600;

/** What the browser stores during a sign-in. */
interface SignInTicket extends LoginSecrets {
  /** The page to show after the sign-in: a path of this service. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const NAMES = ['state', 'nonce', 'verifier', 'returnTo'] as const;

/**
 * Writes a ticket as the text of a cookie. It is not signed: who can set the cookie could also set a ticket that this service has signed for
 * them. Over TLS, only this host can (`signInCookie`).
 */
const writeTicket = (ticket: SignInTicket): string => Buffer.from(JSON.stringify(ticket)).toString('base64url');

/** Reads a ticket. Returns undefined if the text is not a ticket. */
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
