import type { CallOptions, SubmitOptions } from '../options.ts';
import type { Transport } from '../transport.ts';

/** The maximum time of a submission and of its dry run, in seconds: some recipes encode samples of the film first. */
const SUBMISSION_SECONDS = 120;

/** The settings of a call that creates jobs. The idempotency key makes it safe to repeat the call. */
export const submission = ({ idempotencyKey = randomKey(), retries, signal }: SubmitOptions = {}) => ({
  headers: () => ({ 'idempotency-key': idempotencyKey }),
  isRepeatable: true,
  timeoutSeconds: SUBMISSION_SECONDS,
  budget: retries,
  signal,
});

/** The settings of a check that plans requests. */
export const planned = ({ signal }: CallOptions = {}) =>
  ({ isRepeatable: true, isCostly: true, timeoutSeconds: SUBMISSION_SECONDS, signal }) as const;

/** The settings of a dry run of a submission. */
export const dry = (options?: CallOptions) => ({ query: { dryRun: 'true' }, ...planned(options) }) as const;

/** The absolute URL of a link. Without a public URL, the service sends only paths, and does not know the path prefix of a proxy. */
export const absoluteUrl = ({ url }: Pick<Transport, 'url'>, link: string): string =>
  link.startsWith('/') ? url + link : link;

/** A random key of 128 bits. `crypto.randomUUID` is missing on pages loaded over http from another machine. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
