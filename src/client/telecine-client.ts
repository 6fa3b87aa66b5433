import type {
  Accepted,
  AcceptedBatch,
  AddedWebhook,
  AnalysisRequest,
  AuditList,
  AuditQuery,
  Batch,
  BatchDryRun,
  BatchList,
  BatchRequest,
  CallbackSecrets,
  Client,
  ClientChanges,
  ClientList,
  ClientWithSecret,
  CodecDetail,
  CodecList,
  CodecsQuery,
  ConversionRequest,
  Delivery,
  DeliveryList,
  Doctor,
  DryRun,
  FileList,
  FilterDetail,
  FilterList,
  FiltersQuery,
  FormatDetail,
  FormatList,
  FormatsQuery,
  Health,
  Job,
  JobList,
  LinksQuery,
  LiveEvent,
  MeasuredList,
  MediaInfo,
  NewClient,
  NewWebhook,
  OptionDetail,
  OptionList,
  OptionsQuery,
  OutputLinks,
  OutputList,
  PreviewQuery,
  ProbeRequest,
  Queue,
  QueueHistory,
  QueueHistoryQuery,
  Ready,
  Recipe,
  RecipeDefinition,
  RecipeList,
  RecipesQuery,
  RotatedSecret,
  Session,
  SignInMethods,
  UploadLink,
  UploadLinkRequest,
  Usage,
  UsageQuery,
  Webhook,
  WebhookChange,
  WebhookList,
  Worker,
  WorkerList,
} from './api.ts';
import type {
  CallOptions,
  DeliveryOptions,
  DownloadOptions,
  FollowOptions,
  ListOptions,
  PageOptions,
  PollBatchOptions,
  PollOptions,
  PreviewedOutput,
  ReadOptions,
  SignIn,
  SubmitBatchOptions,
  SubmitOptions,
  UploadOptions,
} from './options.ts';

/** The states of a job that has not ended. */
export const UNFINISHED = ['PENDING', 'PROCESSING'] as const;

/**
 * A Telecine service, called by one client. Each call rejects with `ClientError`. Calls are retried while the service
 * is busy (`Retry-After`) or unreachable, if that is safe. Tokens are obtained and renewed as needed.
 */
export interface TelecineClient {
  /** The URL of the service. */
  readonly url: string;
  /**
   * Signs the browser in, with the id and the secret of a client or with the code of a sign-in link. Only for pages of the
   * service itself, as the next two; `createClient(url, { session: true })` then calls with the session.
   */
  signIn(by: SignIn, options?: CallOptions): Promise<Session>;
  /** The ways in which people can sign in to pages of the service, besides the id and the secret of a client. */
  signInMethods(options?: CallOptions): Promise<SignInMethods>;
  /** The session of the browser. Rejects with INVALID_TOKEN if nobody is signed in. */
  session(options?: CallOptions): Promise<Session>;
  signOut(options?: CallOptions): Promise<void>;
  /** Queues a conversion. If the reply is lost, sends the request again; that returns the same job. */
  submit(request: ConversionRequest, options?: SubmitOptions): Promise<Accepted>;
  /** Checks a request and returns the plan, without queueing a job. */
  dryRun(request: ConversionRequest, options?: CallOptions): Promise<DryRun>;
  get(jobId: string, options?: CallOptions): Promise<Job>;
  /** Lists jobs, newest first. */
  list(options?: ListOptions): Promise<JobList>;
  /** Queues conversions together, all or none. If the reply is lost, sends them again; that returns the same jobs. */
  submitBatch(requests: BatchRequest['requests'], options?: SubmitBatchOptions): Promise<AcceptedBatch>;
  /** Checks the requests of a batch and returns their plans, without queueing a job. */
  dryRunBatch(requests: BatchRequest['requests'], options?: CallOptions): Promise<BatchDryRun>;
  getBatch(batchId: string, options?: CallOptions): Promise<Batch>;
  /** Lists batches, newest first, without their jobs. */
  listBatches(options?: PageOptions): Promise<BatchList>;
  /** Waits until all jobs of a batch have ended. */
  waitBatch(batchId: string, options?: PollBatchOptions): Promise<Batch>;
  /** Cancels the jobs of a batch that have not ended. */
  cancelBatch(batchId: string, options?: CallOptions): Promise<Batch>;
  cancel(jobId: string, options?: CallOptions): Promise<Job>;
  /** Queues a new job with the same request. */
  retry(jobId: string, options?: CallOptions): Promise<Accepted>;
  /** Deletes a finished job, and, with `outputs`, its output files. */
  remove(jobId: string, options?: CallOptions & { readonly outputs?: boolean }): Promise<void>;
  /** Returns the lines of ffmpeg's log that have a known form. */
  log(jobId: string, options?: CallOptions): Promise<string>;
  /** Returns the 16 bytes of the key with which the job encrypts HLS. */
  key(jobId: string, options?: CallOptions): Promise<Uint8Array>;
  /** Waits until the job is completed, failed or cancelled. */
  wait(jobId: string, options?: PollOptions): Promise<Job>;
  /**
   * Yields the states and changes of jobs as they come, until the one job or the batch has ended or the caller breaks the
   * loop. Connects again by itself, with the id of the last event.
   */
  events(options?: FollowOptions): AsyncIterable<LiveEvent>;
  /** Returns the format, streams, chapters and tags of a file. */
  probe(request: ProbeRequest, options?: CallOptions): Promise<MediaInfo>;
  /** Queues a job that measures a file. Its results are in `measurements` once the job is complete. */
  analyze(request: AnalysisRequest, options?: SubmitOptions): Promise<Accepted>;
  /**
   * Uploads a `Blob`, or the `File` of a web page, to a path in the media root. Without `replace`, rejects with
   * PRECONDITION_FAILED if a file exists at that path. From 1 MiB on, the upload continues after lost connections and
   * restarts of the service.
   */
  upload(blob: Blob, path: string, options?: UploadOptions): Promise<void>;
  /** Deletes an interrupted upload that will not be continued, if the service still has it. */
  removeUpload(uploadId: string, options?: CallOptions): Promise<void>;
  /**
   * Downloads an output of a job, or a range of it. Resolves when the download begins; the body of the response continues
   * after lost connections.
   */
  download(jobId: string, options?: DownloadOptions): Promise<Response>;
  /**
   * Lists one page of all outputs of a finished job; the job itself has the first 100. At most 1000 on a page, which is the
   * default.
   */
  outputs(jobId: string, options?: PageOptions): Promise<OutputList>;
  /**
   * Lists one page of the entries that an analysis found; the job itself has the first 1000. At most 1000 on a page, which is the
   * default.
   */
  measured(jobId: string, list: MeasuredList['list'], options?: PageOptions): Promise<MeasuredList>;
  /** Returns one page of the URLs of links to the outputs of a job, which need no token and expire. */
  links(jobId: string, options?: CallOptions & LinksQuery): Promise<OutputLinks>;
  /** Makes a link by which anyone can upload one file without a token, once. Its URL is absolute. */
  uploadLink(request: UploadLinkRequest, options?: CallOptions): Promise<UploadLink>;
  /** Downloads a file of the media root, like `download`. */
  readFile(path: string, options?: ReadOptions): Promise<Response>;
  /**
   * Returns a picture of a file of the media root, or of an output of a job, without downloading it. Default of `view`: a
   * frame of its middle.
   */
  preview(file: string | PreviewedOutput, options?: CallOptions & PreviewQuery): Promise<Blob>;
  /**
   * Lists one page of the files and folders whose paths begin with `prefix`, without the contents of the folders. At most
   * 1000 on a page, which is the default.
   */
  listFiles(prefix: string, options?: PageOptions): Promise<FileList>;
  /** Deletes a file of the media root, if it exists. */
  removeFile(path: string, options?: CallOptions): Promise<void>;
  /** Deletes a folder of the media root, if it exists and is empty. */
  removeFolder(path: string, options?: CallOptions): Promise<void>;
  /** Searches what the installed ffmpeg can do; `format` and its like return one item with all its options. */
  formats(options?: CallOptions & FormatsQuery): Promise<FormatList>;
  format(name: string, options?: CallOptions): Promise<FormatDetail>;
  codecs(options?: CallOptions & CodecsQuery): Promise<CodecList>;
  codec(name: string, options?: CallOptions): Promise<CodecDetail>;
  filters(options?: CallOptions & FiltersQuery): Promise<FilterList>;
  filter(name: string, options?: CallOptions): Promise<FilterDetail>;
  options(options?: CallOptions & OptionsQuery): Promise<OptionList>;
  option(name: string, options?: CallOptions): Promise<OptionDetail>;
  /** Lists recipes, or finds them by what they do: `{q: 'make it fit in 8 MB'}`. A request uses one by `preset`. */
  recipes(options?: CallOptions & RecipesQuery): Promise<RecipeList>;
  /** Returns the whole definition of a recipe. */
  recipe(name: string, options?: CallOptions): Promise<Recipe>;
  /** Stores a recipe of this client. It replaces the one of this name only if its `version` is greater. */
  putRecipe(name: string, recipe: RecipeDefinition, options?: CallOptions): Promise<Recipe>;
  /** Deletes a recipe of this client. */
  removeRecipe(name: string, options?: CallOptions): Promise<void>;
  /** Returns what a client uses of its quotas. Default: this client. Another `client` is for administrators. */
  usage(options?: CallOptions & UsageQuery): Promise<Usage>;
  /** Registers a webhook. Its secret is returned only now. */
  addWebhook(webhook: NewWebhook, options?: CallOptions): Promise<AddedWebhook>;
  /** Lists the webhooks of the client, oldest first. */
  webhooks(options?: CallOptions): Promise<WebhookList>;
  webhook(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /** Changes, enables or disables a webhook. */
  changeWebhook(webhookId: string, change: WebhookChange, options?: CallOptions): Promise<Webhook>;
  removeWebhook(webhookId: string, options?: CallOptions): Promise<void>;
  /** Makes a new secret for a webhook, or with undefined for the `callbackUrl` of requests. It is returned only now. */
  rotateWebhookSecret(webhookId: string | undefined, options?: CallOptions): Promise<RotatedSecret>;
  /** Lists the secrets that sign the `callbackUrl` of requests, without their text. */
  callbackSecrets(options?: CallOptions): Promise<CallbackSecrets>;
  /** Sends a test event to a webhook. */
  testWebhook(webhookId: string, options?: CallOptions): Promise<Delivery>;
  /** Lists the newest deliveries of a webhook. */
  webhookDeliveries(webhookId: string, options?: DeliveryOptions): Promise<DeliveryList>;
  /** Lists the newest deliveries about a job. */
  jobDeliveries(jobId: string, options?: DeliveryOptions): Promise<DeliveryList>;
  /** Lists the newest deliveries about a batch, without those about its jobs. */
  batchDeliveries(batchId: string, options?: DeliveryOptions): Promise<DeliveryList>;
  /** Sends the event of a delivery to the webhook again. */
  replayDelivery(webhookId: string, deliveryId: string, options?: CallOptions): Promise<Delivery>;
  /** Sends the event of a delivery about a job to its receiver again, also to the callback of its request. */
  replayJobDelivery(jobId: string, deliveryId: string, options?: CallOptions): Promise<Delivery>;
  /** Sends the event of a delivery about a batch to its receiver again, also to the callback of the batch. */
  replayBatchDelivery(batchId: string, deliveryId: string, options?: CallOptions): Promise<Delivery>;
  /** Returns the version of the service. Needs no rights. */
  health(options?: CallOptions): Promise<Health>;
  /** Returns whether the service can accept work, and which checks fail. Needs no rights. */
  ready(options?: CallOptions): Promise<Ready>;
  /** Returns the state of the queue. This and the following calls are for administrators. */
  queue(options?: CallOptions): Promise<Queue>;
  /** Returns how many jobs were accepted, started and ended, by time. Default of `span`: a day. */
  queueHistory(options?: CallOptions & QueueHistoryQuery): Promise<QueueHistory>;
  /** Pauses the queue: jobs are accepted and running ones go on, but none starts. */
  pauseQueue(options?: CallOptions): Promise<Queue>;
  resumeQueue(options?: CallOptions): Promise<Queue>;
  /** Lists the workers with the jobs that they run. */
  workers(options?: CallOptions): Promise<WorkerList>;
  /** Tells a worker to take no more jobs. */
  drainWorker(workerId: string, options?: CallOptions): Promise<Worker>;
  /** Tells a worker to take jobs again. */
  resumeWorker(workerId: string, options?: CallOptions): Promise<Worker>;
  /** Lists one page of the audit log. */
  audit(options?: CallOptions & AuditQuery): Promise<AuditList>;
  /** Lists all clients. This call and the next five are for administrators. */
  clients(options?: CallOptions): Promise<ClientList>;
  /** Adds a client. The reply has its secret, once; if it is lost, `rotateClient` makes another. */
  addClient(client: NewClient, options?: CallOptions): Promise<ClientWithSecret>;
  changeClient(clientId: string, changes: ClientChanges, options?: CallOptions): Promise<Client>;
  /** Gives a client a new secret. The old one becomes invalid. */
  rotateClient(clientId: string, options?: CallOptions): Promise<ClientWithSecret>;
  /** Revokes a client for good. Rejects if it is the last administrator. */
  revokeClient(clientId: string, options?: CallOptions): Promise<Client>;
  /** Runs the checks of `telecine doctor` in the service. */
  doctor(options?: CallOptions): Promise<Doctor>;
}
