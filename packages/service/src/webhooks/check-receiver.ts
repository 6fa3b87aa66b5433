import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { HIDDEN } from '@telecine/contract/domain/secret-options.ts';
import { redactUrl } from '@telecine/contract/domain/url-input.ts';
import { MAX_URL_LENGTH } from '@telecine/contract/domain/webhook.ts';
import type { WebhookEndpoints } from './ports/endpoints.ts';

/** What is wrong with a URL, as far as its text shows. */
type ReceiverFault = 'NOT_A_URL' | 'SCHEME' | 'USER' | 'NOTHING_ALLOWED' | 'HOST';

/**
 * Checks the text of a URL against the policy of the operator. undefined: no fault was found. A connection may still be
 * rejected.
 */
export type CheckReceiver = (url: string) => ReceiverFault | undefined;

const NO_URL = ['INVALID_URL', 'is not an absolute http(s) URL.'] as const;

const FAULTS: Readonly<Record<ReceiverFault, readonly [code: string, why: string]>> = {
  NOT_A_URL: NO_URL,
  SCHEME: NO_URL,
  USER: ['INVALID_URL', 'contains a user name.'],
  NOTHING_ALLOWED: [
    'HOST_NOT_ALLOWED',
    'is not allowed: webhooks are switched off. The operator can set TELECINE_WEBHOOK_HOSTS.',
  ],
  HOST: [
    'HOST_NOT_ALLOWED',
    'is not on a public host. The operator can add its host and port to TELECINE_WEBHOOK_HOSTS.',
  ],
};

/** The error if events cannot be sent to a URL. `field`: the field of the request that contains it. */
export function receiverError(check: CheckReceiver, field: string, url: string): FieldError | undefined {
  if (url.length > MAX_URL_LENGTH)
    return { field, code: 'TOO_LONG', message: `The URL is longer than ${MAX_URL_LENGTH} characters.` };
  const fault = check(url);
  if (fault === undefined) return undefined;
  const [code, why] = FAULTS[fault];
  const shown = redactUrl(url);
  return { field, code, message: shown === HIDDEN ? `The URL ${why}` : `The URL "${shown}" ${why}` };
}

/** Throws INVALID_REQUEST if events cannot be sent to a URL. */
export function requireReceiver(check: CheckReceiver, field: string, url: string): void {
  const error = receiverError(check, field, url);
  if (error !== undefined) throw invalidRequest([error]);
}

/** Returns a function that finds the error in the `callbackUrl` of a request. */
export function callbackCheck({
  endpoints,
  checkReceiver,
  now,
}: {
  readonly endpoints: Pick<WebhookEndpoints, 'secrets'>;
  readonly checkReceiver: CheckReceiver;
  readonly now: () => Date;
}) {
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
