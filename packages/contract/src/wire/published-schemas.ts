import { acceptedSchema } from './accepted.ts';
import { analysisBody, measuredListSchema, measurementsSchema } from './analysis.ts';
import { auditListSchema, auditQuery } from './audit.ts';
import * as batch from './batch.ts';
import { binSchema, fileDeletionBody, fileDeletionSchema } from './bin.ts';
import * as capabilities from './capabilities.ts';
import * as clients from './clients.ts';
import { commandBody, readCommandSchema } from './command.ts';
import { batchBody, conversionBody } from './conversion.ts';
import { dryRunSchema, estimateSchema, recipeDryRunBody } from './dry-run.ts';
import { fileEntrySchema, fileListSchema, fileMoveBody, linksQuery, outputLinksSchema } from './files.ts';
import { jobListSchema, jobSchema, outputListSchema } from './job.ts';
import { jobChangesBody, jobChangesSchema } from './job-selection.ts';
import { liveEventSchema } from './live-event.ts';
import { previewQuery } from './preview.ts';
import { mediaInfoSchema, probeBody } from './probe.ts';
import { problemSchema } from './problem.ts';
import * as recipe from './recipe.ts';
import * as share from './share.ts';
import { healthSchema, readySchema } from './system.ts';
import * as token from './token.ts';
import * as usage from './usage.ts';
import * as watch from './watch.ts';
import * as webhook from './webhook.ts';
import { webhookEventSchema } from './webhook-event.ts';
import * as workers from './workers.ts';

/* The schemas whose types the package `@telecine/client` publishes, by the names of these types. In this repository, `client/api.ts` infers
   the types from the schemas. The build of the package writes the same types without zod. */

/** Bodies that clients send. */
export const REQUEST_SCHEMAS = {
  ConversionRequest: conversionBody,
  BatchRequest: batchBody,
  ProbeRequest: probeBody,
  NewShare: share.newShareBody,
  FileMove: fileMoveBody,
  FileDeletion: fileDeletionBody,
  JobChanges: jobChangesBody,
  SessionRequest: token.sessionBody,
  SessionCodeRequest: token.sessionCodeBody,
  AnalysisRequest: analysisBody,
  RecipeDefinition: recipe.recipeBody,
  RecipeDryRun: recipeDryRunBody,
  Command: commandBody,
  NewWebhook: webhook.newWebhookBody,
  WebhookChange: webhook.webhookChangeBody,
  NewWatch: watch.newWatchBody,
  WatchChange: watch.watchChangeBody,
  NewClient: clients.newClientBody,
  ClientChanges: clients.clientChangesBody,
};

/** Query parameters that clients send. */
export const QUERY_SCHEMAS = {
  LinksQuery: linksQuery,
  ShareListQuery: share.shareListQuery,
  WatchListQuery: watch.watchListQuery,
  WatchedFilesQuery: watch.watchedFilesQuery,
  UsageQuery: usage.usageQuery,
  UsageListQuery: usage.usageListQuery,
  LargestFilesQuery: usage.largestFilesQuery,
  AuditQuery: auditQuery,
  FormatsQuery: capabilities.formatsQuery,
  CodecsQuery: capabilities.codecsQuery,
  FiltersQuery: capabilities.filtersQuery,
  OptionsQuery: capabilities.optionsQuery,
  RecipesQuery: recipe.recipesQuery,
  PreviewQuery: previewQuery,
  QueueHistoryQuery: workers.queueHistoryQuery,
};

/** Bodies that the service sends. */
export const REPLY_SCHEMAS = {
  Accepted: acceptedSchema,
  AcceptedBatch: batch.acceptedBatchSchema,
  DryRun: dryRunSchema,
  ReadCommand: readCommandSchema,
  Estimate: estimateSchema,
  BatchDryRun: batch.batchDryRunSchema,
  Job: jobSchema,
  JobList: jobListSchema,
  ChangedJobs: jobChangesSchema,
  Batch: batch.batchSchema,
  BatchState: batch.batchStateSchema,
  BatchList: batch.batchListSchema,
  LiveEvent: liveEventSchema,
  FileEntry: fileEntrySchema,
  FileList: fileListSchema,
  FileDeletionResult: fileDeletionSchema,
  Bin: binSchema,
  OutputLinks: outputLinksSchema,
  OutputList: outputListSchema,
  MeasuredList: measuredListSchema,
  Share: share.shareSchema,
  CreatedShare: share.createdShareSchema,
  UploadTerms: share.uploadTermsSchema,
  ShareList: share.shareListSchema,
  MediaInfo: mediaInfoSchema,
  Measurements: measurementsSchema,
  FormatList: capabilities.formatList,
  FormatDetail: capabilities.formatDetail,
  CodecList: capabilities.codecList,
  CodecDetail: capabilities.codecDetail,
  FilterList: capabilities.filterList,
  FilterDetail: capabilities.filterDetail,
  OptionList: capabilities.optionList,
  OptionDetail: capabilities.optionDetail,
  RecipeList: recipe.recipeListSchema,
  Recipe: recipe.recipeSchema,
  Webhook: webhook.webhookSchema,
  AddedWebhook: webhook.addedWebhookSchema,
  WebhookList: webhook.webhookListSchema,
  RotatedSecret: webhook.rotatedSecretSchema,
  Session: token.sessionSchema,
  SignInMethods: token.signInMethods,
  CallbackSecrets: webhook.secretStatusSchema,
  WebhookEvent: webhookEventSchema,
  EndedBatch: batch.endedBatchSchema,
  Delivery: webhook.deliverySchema,
  SentDelivery: webhook.sentDeliverySchema,
  DeliveryList: webhook.deliveryListSchema,
  Watch: watch.watchSchema,
  WatchList: watch.watchListSchema,
  WatchedFile: watch.watchedFileSchema,
  WatchedFileList: watch.watchedFileListSchema,
  WatchDryRun: watch.watchDryRunSchema,
  WatchRetried: watch.watchRetrySchema,
  Queue: workers.queueSchema,
  QueueHistory: workers.queueHistorySchema,
  Worker: workers.workerSchema,
  WorkerList: workers.workerListSchema,
  Usage: usage.usageSchema,
  UsageList: usage.usageListSchema,
  LargestFiles: usage.largestFilesSchema,
  AuditList: auditListSchema,
  Client: clients.clientSchema,
  ClientWithSecret: clients.clientWithSecretSchema,
  ClientList: clients.clientListSchema,
  Doctor: clients.doctorSchema,
  Health: healthSchema,
  Ready: readySchema,
  Problem: problemSchema,
};
