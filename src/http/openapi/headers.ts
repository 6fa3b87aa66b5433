import { z } from 'zod';

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

/** Only where submissions are limited by rate. */
export const rateLimit = {
  RateLimit: text('Submissions left, and seconds until all are back.', '"submissions";r=599;t=60').optional(),
  'RateLimit-Policy': text('Submissions allowed in a window of seconds.', '"submissions";q=600;w=60').optional(),
};
