import type { TelecineClient } from '../telecine-client.ts';
import type { Transport } from '../transport.ts';
import { planned } from './call-settings.ts';

/** The maximum time of the service's checks, in seconds. */
const DOCTOR_SECONDS = 120;

/** The calls about recipes, webhooks, clients and the service itself. */
export const serviceCalls = ({ call }: Pick<Transport, 'call'>) =>
  ({
    signIn: (by, { signal } = {}) =>
      'code' in by ? call('startSessionByCode', { body: by, signal }) : call('startSession', { body: by, signal }),
    signInMethods: ({ signal } = {}) => call('getSignInMethods', { signal }),
    session: ({ signal } = {}) => call('getSession', { signal }),
    signOut: ({ signal } = {}) => call('endSession', { signal }),
    usage: ({ signal, ...query } = {}) => call('getUsage', { query, signal }),
    usageOfAll: ({ signal, ...query } = {}) => call('listUsage', { query, signal }),
    health: ({ signal } = {}) => call('getHealth', { signal }),
    // A service that is not ready replies 503 with the usual body. Do not retry.
    ready: ({ signal } = {}) => call('getReadiness', { accepts: [503], signal }),
    queue: ({ signal } = {}) => call('getQueue', { signal }),
    queueHistory: ({ signal, ...query } = {}) => call('getQueueHistory', { query, signal }),
    pauseQueue: ({ signal } = {}) => call('pauseQueue', { signal }),
    resumeQueue: ({ signal } = {}) => call('resumeQueue', { signal }),
    workers: ({ signal } = {}) => call('listWorkers', { signal }),
    drainWorker: (id, { signal } = {}) => call('drainWorker', { params: { workerId: id }, signal }),
    resumeWorker: (id, { signal } = {}) => call('resumeWorker', { params: { workerId: id }, signal }),
    audit: ({ signal, ...query } = {}) => call('listAudit', { query, signal }),
    clients: ({ signal } = {}) => call('listClients', { signal }),
    addClient: (body, { signal } = {}) => call('addClient', { body, signal }),
    changeClient: (clientId, body, { signal } = {}) => call('changeClient', { params: { clientId }, body, signal }),
    rotateClient: (clientId, { graceHours, signal } = {}) =>
      call('rotateClient', {
        params: { clientId },
        ...(graceHours !== undefined && { query: { graceHours } }),
        signal,
      }),
    revokeClient: (clientId, { signal } = {}) => call('revokeClient', { params: { clientId }, signal }),
    doctor: ({ signal } = {}) => call('runDoctor', { timeoutSeconds: DOCTOR_SECONDS, signal }),
    formats: ({ signal, ...query } = {}) => call('listFormats', { query, signal }),
    format: (name, { signal } = {}) => call('getFormat', { params: { name }, signal }),
    codecs: ({ signal, ...query } = {}) => call('listCodecs', { query, signal }),
    codec: (name, { signal } = {}) => call('getCodec', { params: { name }, signal }),
    filters: ({ signal, ...query } = {}) => call('listFilters', { query, signal }),
    filter: (name, { signal } = {}) => call('getFilter', { params: { name }, signal }),
    options: ({ signal, ...query } = {}) => call('listOptions', { query, signal }),
    option: (name, { signal } = {}) => call('getOption', { params: { name }, signal }),
    recipes: ({ signal, ...query } = {}) => call('listRecipes', { query, signal }),
    recipe: (name, { signal } = {}) => call('getRecipe', { params: { name }, signal }),
    putRecipe: (name, body, { signal } = {}) => call('putRecipe', { params: { name }, body, signal }),
    removeRecipe: (name, { signal } = {}) => call('deleteRecipe', { params: { name }, signal }),
    dryRunRecipe: (name, body, options) => call('dryRunRecipe', { params: { name }, body, ...planned(options) }),
    addWebhook: (body, { signal } = {}) => call('addWebhook', { body, signal }),
    webhooks: ({ signal } = {}) => call('listWebhooks', { signal }),
    webhook: (webhookId, { signal } = {}) => call('getWebhook', { params: { webhookId }, signal }),
    changeWebhook: (webhookId, body, { signal } = {}) => call('changeWebhook', { params: { webhookId }, body, signal }),
    removeWebhook: (webhookId, { signal } = {}) => call('deleteWebhook', { params: { webhookId }, signal }),
    rotateWebhookSecret: (webhookId, { signal } = {}) =>
      webhookId === undefined
        ? call('rotateCallbackSecret', { signal })
        : call('rotateWebhookSecret', { params: { webhookId }, signal }),
    callbackSecrets: ({ signal } = {}) => call('getCallbackSecret', { signal }),
    testWebhook: (webhookId, { signal } = {}) => call('testWebhook', { params: { webhookId }, signal }),
    webhookDeliveries: (webhookId, { signal, ...query } = {}) =>
      call('listWebhookDeliveries', { params: { webhookId }, query, signal }),
    jobDeliveries: (jobId, { signal, ...query } = {}) =>
      call('listJobDeliveries', { params: { jobId }, query, signal }),
    batchDeliveries: (batchId, { signal, ...query } = {}) =>
      call('listBatchDeliveries', { params: { batchId }, query, signal }),
    webhookDelivery: (webhookId, deliveryId, { signal } = {}) =>
      call('getWebhookDelivery', { params: { webhookId, deliveryId }, signal }),
    replayDelivery: (webhookId, deliveryId, { signal } = {}) =>
      call('replayWebhookDelivery', { params: { webhookId, deliveryId }, signal }),
    replayJobDelivery: (jobId, deliveryId, { signal } = {}) =>
      call('replayJobDelivery', { params: { jobId, deliveryId }, signal }),
    replayBatchDelivery: (batchId, deliveryId, { signal } = {}) =>
      call('replayBatchDelivery', { params: { batchId, deliveryId }, signal }),
  }) satisfies Partial<TelecineClient>;
