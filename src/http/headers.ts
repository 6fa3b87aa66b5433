/** On every response. Pages (`/docs`) replace the policy and say how long they may be kept. */
export const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
