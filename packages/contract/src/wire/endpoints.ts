/** The method and the path of every operation. This file imports nothing, so that the client library can use it without a validator. */
export const ENDPOINTS = {
  submitConversion: { method: 'POST', path: '/api/conversion' },
  readCommand: { method: 'POST', path: '/api/commands' },
  submitForModel: { method: 'POST', path: '/mcp' },
  listJobs: { method: 'GET', path: '/api/conversion' },
  changeJobs: { method: 'POST', path: '/api/job-changes' },
  getJob: { method: 'GET', path: '/api/conversion/{jobId}' },
  deleteJob: { method: 'DELETE', path: '/api/conversion/{jobId}' },
  cancelJob: { method: 'POST', path: '/api/conversion/{jobId}/cancel' },
  retryJob: { method: 'POST', path: '/api/conversion/{jobId}/retry' },
  getJobKey: { method: 'GET', path: '/api/conversion/{jobId}/key' },
  getJobLog: { method: 'GET', path: '/api/conversion/{jobId}/log' },
  followJob: { method: 'GET', path: '/api/conversion/{jobId}/events' },
  followJobs: { method: 'GET', path: '/api/events' },
  submitBatch: { method: 'POST', path: '/api/conversions' },
  listBatches: { method: 'GET', path: '/api/conversions' },
  getBatch: { method: 'GET', path: '/api/conversions/{batchId}' },
  downloadBatchOutputs: { method: 'GET', path: '/api/conversions/{batchId}/outputs.zip' },
  followBatch: { method: 'GET', path: '/api/conversions/{batchId}/events' },
  cancelBatch: { method: 'POST', path: '/api/conversions/{batchId}/cancel' },
  listFiles: { method: 'GET', path: '/api/files' },
  downloadFile: { method: 'GET', path: '/api/files/{path}' },
  downloadFiles: { method: 'GET', path: '/api/files.zip' },
  uploadFile: { method: 'PUT', path: '/api/files/{path}' },
  deleteFile: { method: 'DELETE', path: '/api/files/{path}' },
  moveFile: { method: 'POST', path: '/api/file-moves' },
  createFolder: { method: 'POST', path: '/api/folders' },
  deleteFiles: { method: 'POST', path: '/api/file-deletions' },
  listBin: { method: 'GET', path: '/api/bin' },
  emptyBin: { method: 'DELETE', path: '/api/bin' },
  restoreFile: { method: 'POST', path: '/api/bin/{entryId}/restore' },
  deleteBinEntry: { method: 'DELETE', path: '/api/bin/{entryId}' },
  getUploadSupport: { method: 'OPTIONS', path: '/api/uploads' },
  createUpload: { method: 'POST', path: '/api/uploads' },
  getUploadOffset: { method: 'HEAD', path: '/api/uploads/{uploadId}' },
  appendToUpload: { method: 'PATCH', path: '/api/uploads/{uploadId}' },
  deleteUpload: { method: 'DELETE', path: '/api/uploads/{uploadId}' },
  downloadOutput: { method: 'GET', path: '/api/conversion/{jobId}/output' },
  downloadOutputs: { method: 'GET', path: '/api/conversion/{jobId}/outputs.zip' },
  listMeasured: { method: 'GET', path: '/api/conversion/{jobId}/measurements/{list}' },
  listOutputs: { method: 'GET', path: '/api/conversion/{jobId}/outputs' },
  getOutputLinks: { method: 'GET', path: '/api/conversion/{jobId}/links' },
  downloadLinkedOutput: { method: 'GET', path: '/api/conversion/{jobId}/links/{link}/{path}' },
  createShare: { method: 'POST', path: '/api/shares' },
  listShares: { method: 'GET', path: '/api/shares' },
  revokeShare: { method: 'DELETE', path: '/api/shares/{shareId}' },
  openShare: { method: 'GET', path: '/s/{link}' },
  downloadSharedFiles: { method: 'GET', path: '/s/{link}/files.zip' },
  downloadSharedFile: { method: 'GET', path: '/s/{link}/files/{path}' },
  uploadByLink: { method: 'PUT', path: '/s/{link}/files/{path}' },
  probeFile: { method: 'POST', path: '/api/probe' },
  analyzeFile: { method: 'POST', path: '/api/analyze' },
  listFormats: { method: 'GET', path: '/api/capabilities/formats' },
  getFormat: { method: 'GET', path: '/api/capabilities/formats/{name}' },
  listCodecs: { method: 'GET', path: '/api/capabilities/codecs' },
  getCodec: { method: 'GET', path: '/api/capabilities/codecs/{name}' },
  listFilters: { method: 'GET', path: '/api/capabilities/filters' },
  getFilter: { method: 'GET', path: '/api/capabilities/filters/{name}' },
  listOptions: { method: 'GET', path: '/api/capabilities/options' },
  getOption: { method: 'GET', path: '/api/capabilities/options/{name}' },
  listRecipes: { method: 'GET', path: '/api/recipes' },
  getRecipe: { method: 'GET', path: '/api/recipes/{name}' },
  putRecipe: { method: 'PUT', path: '/api/recipes/{name}' },
  deleteRecipe: { method: 'DELETE', path: '/api/recipes/{name}' },
  dryRunRecipe: { method: 'POST', path: '/api/recipes/{name}/dry-run' },
  obtainToken: { method: 'POST', path: '/api/auth/token' },
  refreshToken: { method: 'POST', path: '/api/auth/refresh' },
  startSession: { method: 'POST', path: '/api/session' },
  startSessionByCode: { method: 'POST', path: '/api/session/code' },
  getSession: { method: 'GET', path: '/api/session' },
  endSession: { method: 'DELETE', path: '/api/session' },
  getSignInMethods: { method: 'GET', path: '/api/session/methods' },
  startExternalSession: { method: 'GET', path: '/api/session/external' },
  finishExternalSession: { method: 'GET', path: '/api/session/external/callback' },
  oauthToken: { method: 'POST', path: '/oauth/token' },
  getProtectedResource: { method: 'GET', path: '/.well-known/oauth-protected-resource' },
  getMcpProtectedResource: { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' },
  addWebhook: { method: 'POST', path: '/api/webhooks' },
  listWebhooks: { method: 'GET', path: '/api/webhooks' },
  getWebhook: { method: 'GET', path: '/api/webhooks/{webhookId}' },
  changeWebhook: { method: 'PATCH', path: '/api/webhooks/{webhookId}' },
  deleteWebhook: { method: 'DELETE', path: '/api/webhooks/{webhookId}' },
  rotateWebhookSecret: { method: 'POST', path: '/api/webhooks/{webhookId}/rotate-secret' },
  testWebhook: { method: 'POST', path: '/api/webhooks/{webhookId}/test' },
  listWebhookDeliveries: { method: 'GET', path: '/api/webhooks/{webhookId}/deliveries' },
  getWebhookDelivery: { method: 'GET', path: '/api/webhooks/{webhookId}/deliveries/{deliveryId}' },
  replayWebhookDelivery: { method: 'POST', path: '/api/webhooks/{webhookId}/deliveries/{deliveryId}/replay' },
  listJobDeliveries: { method: 'GET', path: '/api/conversion/{jobId}/deliveries' },
  replayJobDelivery: { method: 'POST', path: '/api/conversion/{jobId}/deliveries/{deliveryId}/replay' },
  listBatchDeliveries: { method: 'GET', path: '/api/conversions/{batchId}/deliveries' },
  replayBatchDelivery: { method: 'POST', path: '/api/conversions/{batchId}/deliveries/{deliveryId}/replay' },
  getCallbackSecret: { method: 'GET', path: '/api/webhook-secret' },
  rotateCallbackSecret: { method: 'POST', path: '/api/webhook-secret/rotate' },
  createWatch: { method: 'POST', path: '/api/watches' },
  listWatches: { method: 'GET', path: '/api/watches' },
  getWatch: { method: 'GET', path: '/api/watches/{watchId}' },
  changeWatch: { method: 'PATCH', path: '/api/watches/{watchId}' },
  deleteWatch: { method: 'DELETE', path: '/api/watches/{watchId}' },
  listWatchedFiles: { method: 'GET', path: '/api/watches/{watchId}/files' },
  retryWatchedFiles: { method: 'POST', path: '/api/watches/{watchId}/retry' },
  getUsage: { method: 'GET', path: '/api/usage' },
  listUsage: { method: 'GET', path: '/api/usage/clients' },
  listLargestFiles: { method: 'GET', path: '/api/usage/files' },
  getQueue: { method: 'GET', path: '/api/queue' },
  getQueueHistory: { method: 'GET', path: '/api/queue/history' },
  pauseQueue: { method: 'POST', path: '/api/queue/pause' },
  resumeQueue: { method: 'POST', path: '/api/queue/resume' },
  listWorkers: { method: 'GET', path: '/api/workers' },
  drainWorker: { method: 'POST', path: '/api/workers/{workerId}/drain' },
  resumeWorker: { method: 'POST', path: '/api/workers/{workerId}/resume' },
  listClients: { method: 'GET', path: '/api/clients' },
  addClient: { method: 'POST', path: '/api/clients' },
  getClient: { method: 'GET', path: '/api/clients/{clientId}' },
  changeClient: { method: 'PATCH', path: '/api/clients/{clientId}' },
  rotateClient: { method: 'POST', path: '/api/clients/{clientId}/rotate' },
  revokeClient: { method: 'DELETE', path: '/api/clients/{clientId}' },
  runDoctor: { method: 'GET', path: '/api/doctor' },
  listAudit: { method: 'GET', path: '/api/audit' },
  getHealth: { method: 'GET', path: '/health' },
  getReadiness: { method: 'GET', path: '/ready' },
  getMetrics: { method: 'GET', path: '/metrics' },
  getDocs: { method: 'GET', path: '/docs' },
  getOpenApi: { method: 'GET', path: '/openapi.json' },
} as const;

export type OperationId = keyof typeof ENDPOINTS;

/** Operations that change something, and change nothing more if they are sent again because the reply was lost. */
const REPEATABLE: ReadonlySet<OperationId> = new Set([
  ...(['changeJobs', 'cancelJob', 'cancelBatch', 'probeFile', 'changeWatch', 'retryWatchedFiles'] as const),
  ...(['deleteFile', 'emptyBin', 'putRecipe', 'changeWebhook', 'changeClient', 'revokeClient'] as const),
  ...(['pauseQueue', 'resumeQueue', 'drainWorker', 'resumeWorker', 'startSession', 'endSession'] as const),
]);

/** Whether a request may be sent again if its reply was lost. */
export const isRepeatable = (operation: OperationId): boolean =>
  ENDPOINTS[operation].method === 'GET' || REPEATABLE.has(operation);

/**
 * Fills the parameters into the path of an operation. Slashes in the parameter `path` stay; slashes in other parameters are escaped. Throws
 * RangeError for the segments `.` and `..`: URLs drop them even if they are escaped, so the request would reach another operation.
 */
export const pathOf = (operation: OperationId, params: Readonly<Record<string, string>> = {}): string =>
  ENDPOINTS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    const segments = name === 'path' ? value.split('/') : [value];
    const dots = segments.find((segment) => /^\.\.?$/.test(segment));
    if (dots !== undefined) throw new RangeError(`${JSON.stringify(value)} cannot contain the segment "${dots}".`);
    return segments.map(encodeURIComponent).join('/');
  });

/** The path of `getJob`. It is joined from parts to save time, because each submission needs it. */
export const jobPath = (jobId: string): string => `${ENDPOINTS.listJobs.path}/${jobId}`;

export const batchPath = (batchId: string): string => pathOf('getBatch', { batchId });

/** The header field, with any value, of each request with a session that changes something. A page of another site cannot add it. */
export const SESSION_HEADER = 'x-telecine-session';

/** The header field of uploads that asks to keep the file that they replace, and that of replies with the entry of this file. */
export const KEEP_REPLACED = 'Keep-Replaced';
export const REPLACED_ENTRY = 'Replaced-Entry';

/** The header fields of a preview with facts about its file: its duration in seconds, and its frame size such as `1920x1080`. */
export const MEDIA_DURATION = 'Media-Duration';
export const MEDIA_SIZE = 'Media-Size';

/** The header field of a preview with the times of its frames, in seconds. */
export const FRAME_TIMES = 'Frame-Times';
