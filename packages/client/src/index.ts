// The exports of `@telecine/client` for programs.
export type * from './api.ts';
export { createClient } from './client.ts';
export { ClientError, type ClientErrorCode, type ClientErrorKind, type FieldError } from './client-error.ts';
export type * from './options.ts';
export type { TelecineClient } from './telecine-client.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookHeaders,
} from './webhook.ts';
