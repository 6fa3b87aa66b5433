import { Problem } from '../../domain/problem.ts';

/** The messages for rejected access tokens. They deliberately contain no details. */
const MESSAGES = {
  missing: 'The access token is missing. Send "Authorization: Bearer <token>" with a token from POST /api/auth/token.',
  malformed: 'The access token is malformed, or not from this service. Request one with POST /api/auth/token.',
  expired: 'The access token has expired. Send the refresh token to POST /api/auth/refresh.',
  revoked: 'The access token was revoked. Request a new one with POST /api/auth/token.',
} as const;

/** The problem for a rejected access token. `cause` is only for the log. */
export const invalidToken = (why: keyof typeof MESSAGES, cause?: unknown): Problem =>
  new Problem('INVALID_TOKEN', MESSAGES[why], cause === undefined ? {} : { cause });
