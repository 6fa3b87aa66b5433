import { HIDDEN } from './secret-options.ts';
import { hideLinks } from './signed-link.ts';

/**
 * A URL without the parts that often are secrets: user name, password, query, and the signed link of a Telecine. Its fragment is
 * left out. Any other text than an http(s) URL is hidden completely: `user:pass@host` is a URL with a scheme of its own.
 */
export function redactUrl(text: string): string {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return HIDDEN;
  const { protocol, host, pathname, username, password, search } = new URL(text);
  const user = username === '' && password === '' ? '' : `${HIDDEN}@`;
  return `${protocol}//${user}${host}${hideLinks(pathname)}${search === '' ? '' : `?${HIDDEN}`}`;
}
