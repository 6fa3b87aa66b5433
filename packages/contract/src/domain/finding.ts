import type { findingSchema } from '../wire/clients.ts';
import type { Shape } from '../wire/shape.ts';

/** What `telecine doctor` checks. */
export type FindingName =
  | 'node'
  | 'settings'
  | 'ffmpeg'
  | 'ffprobe'
  | 'sandbox'
  | 'device'
  | 'speech'
  | 'limits'
  | 'workers'
  | 'store'
  | 'webhooks'
  | 'media root'
  | 'storage'
  | 'bucket';

/** The result of one check. `warn`: the service runs, but with restrictions. */
export interface Finding extends Shape<typeof findingSchema> {
  readonly name: FindingName;
}
