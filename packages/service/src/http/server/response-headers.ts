import { randomBytes } from 'node:crypto';

/** Header fields of every response. The page at `/docs` and downloads replace some of them. */
export const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // Pages of other origins may not embed files, except those that signed links open.
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * Returns a function that creates request ids. Ids from clients are never used, because clients could forge log lines
 * with them.
 */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}
