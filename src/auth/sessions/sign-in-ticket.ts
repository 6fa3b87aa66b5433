import { isOwnPath } from '../../domain/own-path.ts';
import type { LoginSecrets } from '../ports.ts';

/** How long a person may take to log in at the issuer. */
export const TICKET_SECONDS = 600;

/** What the browser keeps between the start of a sign-in by the issuer and its end. */
export interface SignInTicket extends LoginSecrets {
  /** The page to show afterwards: a path of this service. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const NAMES = ['state', 'nonce', 'verifier', 'returnTo'] as const;

/** A ticket as text for a cookie. It is not signed: it protects only the browser that has it. */
export const writeTicket = (ticket: SignInTicket): string => Buffer.from(JSON.stringify(ticket)).toString('base64url');

/** Reads a ticket. Returns undefined if the text is not one. */
export function readTicket(text: string | undefined): SignInTicket | undefined {
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
