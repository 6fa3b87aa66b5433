const PREFIX = '#sign-in=';

/**
 * The code of a sign-in link, from the fragment of the address, which browsers never send. Removes it from the address, so that it
 * is in no bookmark and no history.
 */
export function takeSignInCode(): string | undefined {
  const { hash, pathname, search } = window.location;
  if (!hash.startsWith(PREFIX)) return undefined;
  window.history.replaceState(null, '', pathname + search);
  return hash.slice(PREFIX.length);
}
