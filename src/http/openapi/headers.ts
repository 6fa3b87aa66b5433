import { z } from 'zod';
import { MAX_WAIT_SECONDS } from '../prefer.ts';

const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });

/** On every response. */
export const everywhere = {
  'X-Request-Id': text('Names this request in the log of the service.', 'q1Zk0v8T-1f'),
};

export const location = {
  Location: text('Where the job is shown.', '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'),
};

export const challenge = { 'WWW-Authenticate': text('How to authenticate.', 'Bearer realm="telecine"') };

export const retryAfter = {
  'Retry-After': z
    .string()
    .regex(/^\d+$/)
    .meta({ description: 'Seconds to wait.', examples: ['12'] }),
};

export const allow = { Allow: text('The methods that the path takes.', 'GET, HEAD') };

/** RFC 7240. */
export const prefer = {
  Prefer: text(
    `\`wait=SECONDS\`: reply when the job has ended, at the latest after so many seconds (${MAX_WAIT_SECONDS} at most). With ` +
      '`; until=change`: reply when the job has changed in any way. Other preferences are ignored.',
    'wait=20',
  ).optional(),
};

export const preferenceApplied = {
  'Preference-Applied': text(
    'The wait that the reply was subject to. Missing where the service replied at once because the client has too many ' +
      'requests waiting.',
    'wait=20',
  ).optional(),
};

/** Only where submissions are limited by rate. */
export const rateLimit = {
  RateLimit: text('Submissions left, and seconds until all are back.', '"submissions";r=599;t=60').optional(),
  'RateLimit-Policy': text('Submissions allowed in a window of seconds.', '"submissions";q=600;w=60').optional(),
};
