import type { NodeClient } from '../../client/node/node-client.ts';
import type { RetryBudget } from '../../client/options.ts';
import { withRetry } from '../../client/retry.ts';

/** How long a call of a command with many files waits in all while the service is busy: its limits count for a minute. */
export const PATIENCE: RetryBudget = { busySeconds: 3600, unreachableSeconds: 3 };

/** A client whose dry runs and uploads wait while the service has too much to do. */
export function patientClient(client: NodeClient): NodeClient {
  const untilAccepted = <T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    withRetry({ isRepeatable: false, budget: PATIENCE, signal }, call);
  return {
    ...client,
    dryRun: (request, options = {}) => untilAccepted(() => client.dryRun(request, options), options.signal),
    uploadFile: (file, path, options = {}) =>
      untilAccepted(() => client.uploadFile(file, path, options), options.signal),
  };
}
