const PREFIX = '#sign-in=';

/** Read the code when this module is loaded, because the router changes the URL later. */
let code = readCode();

/** Returns the code of a sign-in link and forgets it, because it works only once. */
export function takeSignInCode(): string | undefined {
  const taken = code;
  code = undefined;
  return taken;
}

/**
 * Reads the code from the URL fragment, which browsers never send. Removes it from the URL, so that it is in no bookmark and not in the
 * history.
 */
function readCode(): string | undefined {
  const { hash, pathname, search } = window.location;
  if (!hash.startsWith(PREFIX)) return undefined;
  window.history.replaceState(null, '', pathname + search);
  return hash.slice(PREFIX.length);
}
