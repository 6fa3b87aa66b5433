const PREFIX = '#sign-in=';

/** Read the code when this module is loaded, because the router changes the URL later. */
let code = readCode();

let listener: ((code: string) => void) | undefined;

// A link that is opened in a tab of the console changes only the fragment, so the page is not loaded again.
window.addEventListener('hashchange', () => {
  code = readCode();
  notify();
});

/** Whether a link was opened whose code nobody has taken yet. */
export const hasSignInCode = (): boolean => code !== undefined;

/**
 * Calls `use` with the code of a sign-in link, now or when the user opens a link in this tab. Each code is passed on
 * once, because it works only once. Returns a function that stops this. Without a listener, a code is forgotten: the
 * browser is signed in already.
 */
export function onSignInCode(use: (code: string) => void): () => void {
  listener = use;
  notify();
  return () => {
    listener = undefined;
  };
}

function notify(): void {
  const taken = code;
  if (taken === undefined || listener === undefined) return;
  code = undefined;
  listener(taken);
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
