import { Problem } from '../../domain/problem.ts';

/** Why an access token is rejected. A caller learns nothing more. */
const MESSAGES = {
  missing: 'The access token is missing. Send "Authorization: Bearer <token>" with a token from POST /api/auth/token.',
  malformed: 'The access token is malformed, or not from this service. Request one with POST /api/auth/token.',
  expired: 'The access token has expired. Send the refresh token to POST /api/auth/refresh.',
  revoked: 'The access token was revoked. Request a new one with POST /api/auth/token.',
} as const;

/** `cause` is only for the log. */
export const invalidToken = (why: keyof typeof MESSAGES, cause?: unknown): Problem =>
  new Problem('INVALID_TOKEN', MESSAGES[why], cause === undefined ? {} : { cause });
