import { ClientError } from '../../client/client-error.ts';
import type { NodeClient } from '../../client/node/node-client.ts';
import { pause } from '../../client/retry.ts';

/** How long a call waits in all while the service is busy. */
const PATIENCE_SECONDS = 3600;

/** The pause if the service names none. */
const PAUSE_SECONDS = 5;

/** A client whose submissions and uploads wait while the service has too much to do: its limits count for a minute. */
export function patientClient(client: NodeClient): NodeClient {
  return {
    ...client,
    dryRun: (request, options = {}) => untilAccepted(() => client.dryRun(request, options), options.signal),
    submit: (request, options = {}) => {
      const { idempotencyKey = crypto.randomUUID() } = options;
      return untilAccepted(() => client.submit(request, { ...options, idempotencyKey }), options.signal);
    },
    uploadFile: (file, path, options = {}) =>
      untilAccepted(() => client.uploadFile(file, path, options), options.signal),
  };
}

async function untilAccepted<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let waited = 0; ; ) {
    try {
      return await call();
    } catch (error) {
      const seconds = pauseAfter(error);
      if (seconds === undefined || waited + seconds > PATIENCE_SECONDS) throw error;
      waited += seconds;
      await pause(seconds * 1000, signal);
    }
  }
}

/** The pause before the next try. Undefined if a try would not help: a quota counts for a day. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof ClientError) || (error.status !== 429 && error.status !== 503)) return undefined;
  if (error.problem?.code === 'QUOTA_EXCEEDED') return undefined;
  return Math.max(error.retryAfterSeconds ?? PAUSE_SECONDS, 1);
}
