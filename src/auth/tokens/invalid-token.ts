import { Problem } from '../../domain/problem.ts';

/** All that a caller learns of why its access token is refused. */
const MESSAGES = {
  missing: 'This needs an access token in the header "Authorization: Bearer <token>". POST /api/auth/token gives one.',
  malformed: 'The access token is malformed or not one of this service. Obtain one at POST /api/auth/token.',
  expired: 'The access token has expired. Exchange the refresh token at POST /api/auth/refresh.',
  revoked: 'The access token has been revoked. Obtain a new one at POST /api/auth/token.',
} as const;

/** `cause` is for the log alone. */
export const invalidToken = (why: keyof typeof MESSAGES, cause?: unknown): Problem =>
  new Problem('INVALID_TOKEN', MESSAGES[why], cause === undefined ? {} : { cause });
