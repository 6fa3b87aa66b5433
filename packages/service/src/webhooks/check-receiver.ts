import type { Hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { HIDDEN } from '@telecine/contract/domain/secret-options.ts';
import { redactUrl } from '@telecine/contract/domain/url-input.ts';
import { MAIL, MAX_URL_LENGTH, NO_MAIL } from '@telecine/contract/domain/webhook.ts';
import type { WebhookEndpoints } from './ports/endpoints.ts';

/** What is wrong with a URL, as far as its text shows. */
type ReceiverFault = 'NOT_A_URL' | 'SCHEME' | 'USER' | 'NOTHING_ALLOWED' | 'HOST';

/**
 * Checks the text of a URL against the policy of the operator. undefined: no fault was found. A connection may still be
 * rejected.
 */
export type CheckReceiver = (url: string) => ReceiverFault | undefined;

interface Fault {
  readonly code: string;
  readonly why: string;
  readonly fix: Hint;
}

const EXAMPLE = 'https://example.org/hooks/telecine';

const FAULTS: Readonly<Record<ReceiverFault, Fault>> = {
  NOT_A_URL: { code: 'INVALID_URL', why: 'is not an absolute URL.', fix: `Send a URL such as "${EXAMPLE}".` },
  SCHEME: { code: 'INVALID_URL', why: 'is neither http nor https.', fix: `Send a URL such as "${EXAMPLE}".` },
  USER: { code: 'INVALID_URL', why: 'contains a user name.', fix: 'Send it without user name and password.' },
  NOTHING_ALLOWED: {
    code: 'HOST_NOT_ALLOWED',
    why: 'is not allowed: webhooks are switched off.',
    fix: 'Ask the operator to set TELECINE_WEBHOOK_HOSTS.',
  },
  HOST: {
    code: 'HOST_NOT_ALLOWED',
    why: 'is not on a public host, and the operator does not allow it.',
    fix: 'Send a URL on a public host, or ask the operator to add its host and port to TELECINE_WEBHOOK_HOSTS.',
  },
};

/** The fault of an e-mail address. A webhook needs a URL, but a job can do without one. */
const address = (field: string): Fault => ({
  code: 'INVALID_URL',
  why: 'is an e-mail address.',
  fix: field.endsWith('/callbackUrl') ? NO_MAIL : 'Send an http(s) URL: no mail is sent.',
});

/** The fault of a URL without a scheme, such as `example.org/hook`. A host with a port would be read as a scheme. */
const WITHOUT_SCHEME = { code: 'INVALID_URL', why: 'has no "https://".', fix: 'Put "https://" before it.' };

/** The error if events cannot be sent to a URL. `field`: the field of the request that contains it. */
export function receiverError(check: CheckReceiver, field: string, url: string): FieldError | undefined {
  if (url.length > MAX_URL_LENGTH)
    return { field, code: 'TOO_LONG', message: `The URL is longer than ${MAX_URL_LENGTH} characters.` };
  const fault = check(url);
  if (fault === undefined) return undefined;
  const { code, why, fix }: Fault = MAIL.test(url)
    ? address(field)
    : /^[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:\/|$)/.test(url)
      ? WITHOUT_SCHEME
      : FAULTS[fault];
  const shown = redactUrl(url);
  return { field, code, message: shown === HIDDEN ? `The URL ${why}` : `The URL "${shown}" ${why}`, fix };
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
