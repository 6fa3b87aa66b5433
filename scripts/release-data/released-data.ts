import { resolve } from 'node:path';
import type { JobView } from '../../packages/contract/src/wire/job.ts';

/** The recorded data: a folder for each version. */
export const RELEASE_DATA = resolve(import.meta.dirname, '../../test/fixtures/release-data');

export const DATABASES = ['sqlite', 'postgres'] as const;

export type DatabaseName = (typeof DATABASES)[number];

/** Placeholders in the recorded text for values that differ on each machine. */
export const PLACES = { mediaRoot: '{{MEDIA_ROOT}}', receiver: '{{RECEIVER}}' } as const;

export type Places = Readonly<Record<keyof typeof PLACES, string>>;

/** The input of all recorded jobs, in the media root: the sample `480p`. */
export const INPUT = 'shop/in.mp4';

/** The path at the receiver of webhooks to which an event is still to be delivered. */
export const UNDELIVERED = '/undelivered';

/** What a service knew before it was killed, for a test that starts a later version on its data. */
export interface ReleaseFacts {
  readonly version: string;
  readonly recordedAt: string;
  readonly admin: { readonly clientId: string; readonly clientSecret: string };
  /** A client with limits, its own recipe, webhooks and all the jobs. */
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  readonly clientView: object;
  readonly refreshToken: string;
  readonly recipe: { readonly name: string };
  /** The secret that signs the events. */
  readonly webhookSecret: string;
  /** Jobs whose end was not delivered to the receiver at `UNDELIVERED`. */
  readonly undelivered: readonly string[];
  /** A completed, a failed and a cancelled job, and a complete analysis. */
  readonly ended: readonly JobView[];
  /** The job that ran when the service was killed. */
  readonly running: string;
  /** Jobs that were queued: alone, after the running one, and in the batch. */
  readonly queued: readonly string[];
  readonly batch: string;
  /** The idempotency keys of a finished and of a queued job. */
  readonly keys: readonly { readonly key: string; readonly request: object; readonly jobId: string }[];
}
