import { randomBytes } from 'node:crypto';

/** Header fields of every response. The pages at `/docs` replace the policy and set how long they may be cached. */
export const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Creates request ids: a counter, unique within the process, behind a random prefix of the process. The service never
 * adopts an id that a client sends, because the client could forge log lines with it.
 */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}
