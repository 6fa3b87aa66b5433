const PREFIX = '#sign-in-error=';

/** What each code says. Only these: a link must not put words of others into the page. */
const MESSAGES: Readonly<Record<string, string>> = {
  DENIED: 'The sign-in was cancelled, or the issuer did not allow it. Try again, or ask who runs the issuer.',
  NOT_A_CLIENT:
    'The issuer knows you, but this service has no client for you. Ask the operator to add one for your subject: the log of the service names it.',
  EXPIRED: 'The sign-in took longer than ten minutes. Try again.',
  NOT_BEGUN: 'The sign-in did not begin in this browser, or the browser keeps no cookies of this address. Try again.',
  REJECTED: 'The service did not accept what the issuer sent. Try again. The log of the service says what is wrong.',
  UNAVAILABLE: 'The issuer or the service cannot be reached at the moment. Try again later.',
  RATE_LIMITED: 'Too many sign-ins failed at your address. Try again in a minute.',
};

/** What the fragment of an address says about a sign-in by the issuer that failed. undefined: nothing. */
export const signInErrorIn = (fragment: string): string | undefined =>
  fragment.startsWith(PREFIX)
    ? (Object.entries(MESSAGES).find(([code]) => code === fragment.slice(PREFIX.length))?.[1] ??
      'The sign-in by the issuer failed. Try again.')
    : undefined;

/** Read before the router, which rewrites the address. */
let error = readError();

/** Why the sign-in by the issuer failed that led to this page, once. */
export function takeSignInError(): string | undefined {
  const taken = error;
  error = undefined;
  return taken;
}

/** Removes the code from the address, so that a reload does not show it again. */
function readError(): string | undefined {
  // Tests of the messages have no window.
  if (typeof window === 'undefined') return undefined;
  const { hash, pathname, search } = window.location;
  const found = signInErrorIn(hash);
  if (found !== undefined) window.history.replaceState(null, '', pathname + search);
  return found;
}
