const PREFIX = '#sign-in=';

/** Read before the router, which rewrites the address. */
let code = readCode();

/** The code of a sign-in link, once. */
export function takeSignInCode(): string | undefined {
  const taken = code;
  code = undefined;
  return taken;
}

/**
 * The code is in the fragment of the address, which browsers never send. Removes it from the address, so that it is in no bookmark
 * and no history.
 */
function readCode(): string | undefined {
  const { hash, pathname, search } = window.location;
  if (!hash.startsWith(PREFIX)) return undefined;
  window.history.replaceState(null, '', pathname + search);
  return hash.slice(PREFIX.length);
}
