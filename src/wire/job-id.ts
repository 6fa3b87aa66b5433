import { z } from 'zod';

export const jobId = z.uuid().meta({
  description: 'The job, a UUID of version 7: ids sort by the time of submission.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'],
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);
