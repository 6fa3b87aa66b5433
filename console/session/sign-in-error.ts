const PREFIX = '#sign-in-error=';

/** A person whom the issuer knows and this service does not. The page shows what to do instead of the fields, which would not help. */
const NOT_A_CLIENT = 'NOT_A_CLIENT';

/** Why a sign-in by the issuer failed. */
export interface SignInError {
  readonly isUnknownPerson: boolean;
  readonly text: string;
}

/** The messages by code. Only these texts are shown, because anyone could write a link with a text of their own. */
const MESSAGES: Readonly<Record<string, string>> = {
  DENIED:
    'The sign-in was cancelled, or your account may not sign in here. Try again, or ask who manages the accounts.',
  [NOT_A_CLIENT]: 'Telecine does not know your account yet. Ask the operator to add you, then sign in again.',
  EXPIRED: 'The sign-in took longer than ten minutes. Try again.',
  NOT_BEGUN: 'The sign-in did not begin in this browser, or the browser keeps no cookies of this address. Try again.',
  REJECTED:
    'Telecine rejected the reply of your account provider. Try again. The log of the service states the reason.',
  UNAVAILABLE: 'Your account provider or Telecine cannot be reached at the moment. Try again later.',
  RATE_LIMITED: 'Too many sign-ins failed at your address. Try again in a minute.',
};

/** The error in a URL fragment, if a sign-in by the issuer failed. undefined: no error. */
export function signInErrorIn(fragment: string): SignInError | undefined {
  if (!fragment.startsWith(PREFIX)) return undefined;
  const sent = fragment.slice(PREFIX.length);
  const text = Object.entries(MESSAGES).find(([code]) => code === sent)?.[1];
  return { isUnknownPerson: sent === NOT_A_CLIENT, text: text ?? 'The sign-in failed. Try again.' };
}

/** Read the error when this module is loaded, because the router changes the URL later. */
let error = readError();

/** Returns why the last sign-in at the issuer failed. undefined: it did not fail, or a page has shown the reason. */
export const signInError = (): SignInError | undefined => error;

/** Call this when a page has shown the error, so that no other page shows it. */
export function forgetSignInError(): void {
  error = undefined;
}

/** Reads the error and removes it from the URL, so that a reload does not show it again. */
function readError(): SignInError | undefined {
  // In tests of the messages, there is no window.
  if (typeof window === 'undefined') return undefined;
  const { hash, pathname, search } = window.location;
  const found = signInErrorIn(hash);
  if (found !== undefined) window.history.replaceState(null, '', pathname + search);
  return found;
}
