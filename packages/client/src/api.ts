import type { SentQueryOf } from '@telecine/contract/wire/operations/types.ts';
import type { PROBLEMS } from '@telecine/contract/wire/problem.ts';
import type { QUERY_SCHEMAS, REPLY_SCHEMAS, REQUEST_SCHEMAS } from '@telecine/contract/wire/published-schemas.ts';
import type { z } from 'zod';

/*
 * The types of the API. Other files of the client take them from here, never from `wire`: the package replaces this file
 * by one with the same types without zod (scripts/build-client/api-types.ts).
 */

type Request<Name extends keyof typeof REQUEST_SCHEMAS> = z.input<(typeof REQUEST_SCHEMAS)[Name]>;
type Query<Name extends keyof typeof QUERY_SCHEMAS> = SentQueryOf<{ readonly query: (typeof QUERY_SCHEMAS)[Name] }>;
type Reply<Name extends keyof typeof REPLY_SCHEMAS> = z.output<(typeof REPLY_SCHEMAS)[Name]>;

export type ConversionRequest = Request<'ConversionRequest'>;
export type BatchRequest = Request<'BatchRequest'>;
export type ProbeRequest = Request<'ProbeRequest'>;
export type FileDeletion = Request<'FileDeletion'>;
export type FileMove = Request<'FileMove'>;
export type JobChanges = Request<'JobChanges'>;
export type NewShare = Request<'NewShare'>;
export type SessionRequest = Request<'SessionRequest'>;
export type SessionCodeRequest = Request<'SessionCodeRequest'>;
export type AnalysisRequest = Request<'AnalysisRequest'>;
export type RecipeDefinition = Request<'RecipeDefinition'>;
export type RecipeDryRun = Request<'RecipeDryRun'>;
export type Command = Request<'Command'>;
export type NewWebhook = Request<'NewWebhook'>;
export type WebhookChange = Request<'WebhookChange'>;
export type NewWatch = Request<'NewWatch'>;
export type WatchChange = Request<'WatchChange'>;
export type NewClient = Request<'NewClient'>;
export type ClientChanges = Request<'ClientChanges'>;

export type LinksQuery = Query<'LinksQuery'>;
export type ShareListQuery = Query<'ShareListQuery'>;
export type WatchListQuery = Query<'WatchListQuery'>;
export type WatchedFilesQuery = Query<'WatchedFilesQuery'>;
export type UsageQuery = Query<'UsageQuery'>;
export type UsageListQuery = Query<'UsageListQuery'>;
export type LargestFilesQuery = Query<'LargestFilesQuery'>;
export type AuditQuery = Query<'AuditQuery'>;
export type FormatsQuery = Query<'FormatsQuery'>;
export type CodecsQuery = Query<'CodecsQuery'>;
export type FiltersQuery = Query<'FiltersQuery'>;
export type OptionsQuery = Query<'OptionsQuery'>;
export type RecipesQuery = Query<'RecipesQuery'>;
export type PreviewQuery = Query<'PreviewQuery'>;
export type QueueHistoryQuery = Query<'QueueHistoryQuery'>;

export type Accepted = Reply<'Accepted'>;
export type AcceptedBatch = Reply<'AcceptedBatch'>;
export type DryRun = Reply<'DryRun'>;
export type ReadCommand = Reply<'ReadCommand'>;
/** The estimate of a dry run: the sizes of the outputs, and the run time. */
export type Estimate = Reply<'Estimate'>;
export type BatchDryRun = Reply<'BatchDryRun'>;
export type Job = Reply<'Job'>;
export type JobList = Reply<'JobList'>;
export type ChangedJobs = Reply<'ChangedJobs'>;
export type Batch = Reply<'Batch'>;
export type BatchState = Reply<'BatchState'>;
export type BatchList = Reply<'BatchList'>;
export type LiveEvent = Reply<'LiveEvent'>;
export type FileEntry = Reply<'FileEntry'>;
export type FileDeletionResult = Reply<'FileDeletionResult'>;
export type Bin = Reply<'Bin'>;
export type FileList = Reply<'FileList'>;
export type OutputLinks = Reply<'OutputLinks'>;
export type MeasuredList = Reply<'MeasuredList'>;
export type OutputList = Reply<'OutputList'>;
export type UploadTerms = Reply<'UploadTerms'>;
export type Share = Reply<'Share'>;
export type CreatedShare = Reply<'CreatedShare'>;
export type ShareList = Reply<'ShareList'>;
export type MediaInfo = Reply<'MediaInfo'>;
export type Measurements = Reply<'Measurements'>;
export type FormatList = Reply<'FormatList'>;
export type FormatDetail = Reply<'FormatDetail'>;
export type CodecList = Reply<'CodecList'>;
export type CodecDetail = Reply<'CodecDetail'>;
export type FilterList = Reply<'FilterList'>;
export type FilterDetail = Reply<'FilterDetail'>;
export type OptionList = Reply<'OptionList'>;
export type OptionDetail = Reply<'OptionDetail'>;
export type RecipeList = Reply<'RecipeList'>;
export type Recipe = Reply<'Recipe'>;
export type Webhook = Reply<'Webhook'>;
export type AddedWebhook = Reply<'AddedWebhook'>;
export type WebhookList = Reply<'WebhookList'>;
export type RotatedSecret = Reply<'RotatedSecret'>;
export type Session = Reply<'Session'>;
export type SignInMethods = Reply<'SignInMethods'>;
export type CallbackSecrets = Reply<'CallbackSecrets'>;
/** The body of a request that the service sends to a webhook. */
export type WebhookEvent = Reply<'WebhookEvent'>;
export type EndedBatch = Reply<'EndedBatch'>;
export type Delivery = Reply<'Delivery'>;
export type DeliveryList = Reply<'DeliveryList'>;
export type SentDelivery = Reply<'SentDelivery'>;
export type Watch = Reply<'Watch'>;
export type WatchList = Reply<'WatchList'>;
export type WatchedFile = Reply<'WatchedFile'>;
export type WatchedFileList = Reply<'WatchedFileList'>;
export type WatchDryRun = Reply<'WatchDryRun'>;
export type WatchRetried = Reply<'WatchRetried'>;
export type Queue = Reply<'Queue'>;
export type QueueHistory = Reply<'QueueHistory'>;
export type Worker = Reply<'Worker'>;
export type WorkerList = Reply<'WorkerList'>;
export type Usage = Reply<'Usage'>;
export type UsageList = Reply<'UsageList'>;
export type LargestFiles = Reply<'LargestFiles'>;
export type AuditList = Reply<'AuditList'>;
export type Client = Reply<'Client'>;
export type ClientWithSecret = Reply<'ClientWithSecret'>;
export type ClientList = Reply<'ClientList'>;
export type Doctor = Reply<'Doctor'>;
export type Health = Reply<'Health'>;
export type Ready = Reply<'Ready'>;
export type Problem = Reply<'Problem'>;

/** The code of a problem document. Later versions of the service may send other codes. */
export type ProblemCode = keyof typeof PROBLEMS;
