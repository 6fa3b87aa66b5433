import type { FastifyRequest } from 'fastify';
import { minuteBuckets, msUntil, rateLimited } from '../../auth/counters.ts';
import { notifiedWatchOf } from '../auth/authenticate-notifier.ts';

/** The most notifications for a watch in a minute. Lists find what a server does not send again. */
export const NOTIFICATIONS_PER_MINUTE = 600;

/** Creates a hook that counts the notifications of each watch. Each process counts alone. Throws RATE_LIMITED. */
export function limitNotifications(now?: () => number) {
  const buckets = minuteBuckets(now);
  return (request: FastifyRequest): undefined => {
    const bucket = buckets.of(notifiedWatchOf(request).watchId, NOTIFICATIONS_PER_MINUTE);
    if (bucket === undefined) return;
    if (bucket.left < 1)
      throw rateLimited(
        `This watch gets more than ${NOTIFICATIONS_PER_MINUTE} notifications a minute. Put several records into one, or retry`,
        msUntil(bucket, 1),
      );
    bucket.left -= 1;
  };
}
