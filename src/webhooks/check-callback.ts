import type { FieldError } from '../domain/problem.ts';
import { type CheckReceiver, receiverError } from './check-receiver.ts';
import type { WebhookEndpoints } from './ports.ts';

export interface CheckCallbackDeps {
  readonly endpoints: Pick<WebhookEndpoints, 'secrets'>;
  readonly checkReceiver: CheckReceiver;
  readonly now: () => Date;
}

/** Returns a function that finds what is wrong with the `callbackUrl` of a request of a client. */
export function callbackCheck({ endpoints, checkReceiver, now }: CheckCallbackDeps) {
  return async (clientId: string, callbackUrl: string): Promise<FieldError | undefined> => {
    const field = '/callbackUrl';
    const error = receiverError(checkReceiver, field, callbackUrl);
    if (error !== undefined) return error;
    const secrets = await endpoints.secrets({ clientId, webhookId: undefined }, now().toISOString());
    if (secrets.length > 0) return undefined;
    return {
      field,
      code: 'NO_SECRET',
      message: '"callbackUrl" needs a secret that signs the callback, and you have none yet.',
      fix: 'Send POST /api/webhook-secret/rotate once, and keep the secret for your receiver.',
    };
  };
}
