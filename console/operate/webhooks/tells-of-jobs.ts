import type { Webhook } from '@telecine/client';

/** Whether a webhook is told of the end of jobs. */
export const tellsOfJobs = ({ enabled, events }: Webhook): boolean =>
  enabled && (events === undefined || events.some((event) => event.startsWith('job.')));
