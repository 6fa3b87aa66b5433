import { acceptedSchema } from './accepted.ts';
import { analysisBody, measuredListSchema, measurementsSchema } from './analysis.ts';
import { auditListSchema, auditQuery } from './audit.ts';
import {
  acceptedBatchSchema,
  batchDryRunSchema,
  batchListSchema,
  batchSchema,
  batchStateSchema,
  endedBatchSchema,
} from './batch.ts';
import {
  codecDetail,
  codecList,
  codecsQuery,
  filterDetail,
  filterList,
  filtersQuery,
  formatDetail,
  formatList,
  formatsQuery,
  optionDetail,
  optionList,
  optionsQuery,
} from './capabilities.ts';
import {
  clientChangesBody,
  clientListSchema,
  clientSchema,
  clientWithSecretSchema,
  doctorSchema,
  newClientBody,
} from './clients.ts';
import { batchBody, conversionBody } from './conversion.ts';
import { dryRunSchema, estimateSchema } from './dry-run.ts';
import { fileListSchema, linksQuery, outputLinksSchema } from './files.ts';
import { jobListSchema, jobSchema, outputListSchema } from './job.ts';
import { uploadLinkBody, uploadLinkSchema } from './links.ts';
import { liveEventSchema } from './live-event.ts';
import { previewQuery } from './preview.ts';
import { mediaInfoSchema, probeBody } from './probe.ts';
import { problemSchema } from './problem.ts';
import { recipeBody, recipeListSchema, recipeSchema, recipesQuery } from './recipe.ts';
import { healthSchema, readySchema } from './system.ts';
import { sessionBody, sessionCodeBody, sessionSchema, signInMethods } from './token.ts';
import { usageQuery, usageSchema } from './usage.ts';
import {
  addedWebhookSchema,
  deliveryListSchema,
  deliverySchema,
  newWebhookBody,
  rotatedSecretSchema,
  secretStatusSchema,
  webhookChangeBody,
  webhookListSchema,
  webhookSchema,
} from './webhook.ts';
import { webhookEventSchema } from './webhook-event.ts';
import { queueHistoryQuery, queueHistorySchema, queueSchema, workerListSchema, workerSchema } from './workers.ts';

/*
 * The schemas whose types the package `@telecine/client` publishes, by the names of those types. `client/api.ts` infers the
 * types of our sources from them; the build of the package writes the same types without zod.
 */

/** Bodies that clients send. */
export const REQUEST_SCHEMAS = {
  ConversionRequest: conversionBody,
  BatchRequest: batchBody,
  ProbeRequest: probeBody,
  UploadLinkRequest: uploadLinkBody,
  SessionRequest: sessionBody,
  SessionCodeRequest: sessionCodeBody,
  AnalysisRequest: analysisBody,
  RecipeDefinition: recipeBody,
  NewWebhook: newWebhookBody,
  WebhookChange: webhookChangeBody,
  NewClient: newClientBody,
  ClientChanges: clientChangesBody,
};

/** Query parameters that clients send. */
export const QUERY_SCHEMAS = {
  LinksQuery: linksQuery,
  UsageQuery: usageQuery,
  AuditQuery: auditQuery,
  FormatsQuery: formatsQuery,
  CodecsQuery: codecsQuery,
  FiltersQuery: filtersQuery,
  OptionsQuery: optionsQuery,
  RecipesQuery: recipesQuery,
  PreviewQuery: previewQuery,
  QueueHistoryQuery: queueHistoryQuery,
};

/** Bodies that the service sends. */
export const REPLY_SCHEMAS = {
  Accepted: acceptedSchema,
  AcceptedBatch: acceptedBatchSchema,
  DryRun: dryRunSchema,
  Estimate: estimateSchema,
  BatchDryRun: batchDryRunSchema,
  Job: jobSchema,
  JobList: jobListSchema,
  Batch: batchSchema,
  BatchState: batchStateSchema,
  BatchList: batchListSchema,
  LiveEvent: liveEventSchema,
  FileList: fileListSchema,
  OutputLinks: outputLinksSchema,
  OutputList: outputListSchema,
  MeasuredList: measuredListSchema,
  UploadLink: uploadLinkSchema,
  MediaInfo: mediaInfoSchema,
  Measurements: measurementsSchema,
  FormatList: formatList,
  FormatDetail: formatDetail,
  CodecList: codecList,
  CodecDetail: codecDetail,
  FilterList: filterList,
  FilterDetail: filterDetail,
  OptionList: optionList,
  OptionDetail: optionDetail,
  RecipeList: recipeListSchema,
  Recipe: recipeSchema,
  Webhook: webhookSchema,
  AddedWebhook: addedWebhookSchema,
  WebhookList: webhookListSchema,
  RotatedSecret: rotatedSecretSchema,
  Session: sessionSchema,
  SignInMethods: signInMethods,
  CallbackSecrets: secretStatusSchema,
  WebhookEvent: webhookEventSchema,
  EndedBatch: endedBatchSchema,
  Delivery: deliverySchema,
  DeliveryList: deliveryListSchema,
  Queue: queueSchema,
  QueueHistory: queueHistorySchema,
  Worker: workerSchema,
  WorkerList: workerListSchema,
  Usage: usageSchema,
  AuditList: auditListSchema,
  Client: clientSchema,
  ClientWithSecret: clientWithSecretSchema,
  ClientList: clientListSchema,
  Doctor: doctorSchema,
  Health: healthSchema,
  Ready: readySchema,
  Problem: problemSchema,
};
