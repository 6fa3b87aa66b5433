import type * as api from './api.ts';
import type {
  CallOptions,
  DeliveryOptions,
  DownloadOptions,
  DryRunOptions,
  FileListOptions,
  FollowOptions,
  JobRetryOptions,
  ListOptions,
  PageOptions,
  PollBatchOptions,
  PollOptions,
  PreviewedOutput,
  ReadOptions,
  RotateOptions,
  SignIn,
  SubmitBatchOptions,
  SubmitOptions,
  UploadOptions,
  WatchRetryOptions,
} from './options.ts';

/** The states of a job that has not ended. */
export const UNFINISHED = ['PENDING', 'PROCESSING'] as const;

/**
 * A Telecine service as one client uses it. Each call rejects with `ClientError`. If it is safe, calls are retried while the service is
 * busy (`Retry-After`) or unreachable. Tokens are obtained and renewed automatically.
 */
export interface TelecineClient {
  /** The URL of the service. */
  readonly url: string;
  /**
   * Signs the browser in, with the id and secret of a client or with the code of a sign-in link. This call and the next three are only for
   * pages of the service itself. Afterwards, `createClient(url, { session: true })` uses the session.
   */
  signIn(by: SignIn, options?: CallOptions): Promise<api.Session>;
  /** The ways to sign in to pages of the service in addition to the id and secret of a client. */
  signInMethods(options?: CallOptions): Promise<api.SignInMethods>;
  /** The session of the browser. Rejects with INVALID_TOKEN if no one is signed in. */
  session(options?: CallOptions): Promise<api.Session>;
  signOut(options?: CallOptions): Promise<void>;
  /** Queues a conversion. If the reply is lost, sends the request again; the service then returns the same job. */
  submit(request: api.ConversionRequest, options?: SubmitOptions): Promise<api.Accepted>;
  /** Checks a request and returns the plan, without queueing a job. */
  dryRun(request: api.ConversionRequest, options?: DryRunOptions): Promise<api.DryRun>;
  /**
   * Reads a command line of ffmpeg, as a text or as a list of its words, as the request that does the same. Runs nothing. Problems of the
   * command are in `errors` of the reply.
   */
  readCommand(command: api.Command['command'], options?: CallOptions): Promise<api.ReadCommand>;
  get(jobId: string, options?: CallOptions): Promise<api.Job>;
  /** Lists jobs, newest first. */
  list(options?: ListOptions): Promise<api.JobList>;
  /** Queues several conversions: all or none. If the reply is lost, sends them again; the service then returns the same jobs. */
  submitBatch(requests: api.BatchRequest['requests'], options?: SubmitBatchOptions): Promise<api.AcceptedBatch>;
  /** Checks the requests of a batch and returns their plans, without queueing a job. */
  dryRunBatch(requests: api.BatchRequest['requests'], options?: CallOptions): Promise<api.BatchDryRun>;
  getBatch(batchId: string, options?: CallOptions): Promise<api.Batch>;
  /** Lists batches, newest first, without their jobs. */
  listBatches(options?: PageOptions): Promise<api.BatchList>;
  /** Waits until all jobs of a batch have ended. */
  waitBatch(batchId: string, options?: PollBatchOptions): Promise<api.Batch>;
  /** Cancels the jobs of a batch that have not ended. */
  cancelBatch(batchId: string, options?: CallOptions): Promise<api.Batch>;
  cancel(jobId: string, options?: CallOptions): Promise<api.Job>;
  /** Cancels, retries or expires a page of selected jobs. Call it with each `nextCursor` for all of them. */
  changeJobs(changes: api.JobChanges, options?: CallOptions): Promise<api.ChangedJobs>;
  /** Queues a new job with the same request, or with `request`, for the client of the job. If the reply is lost, sends it again, as `submit` does. */
  retry(jobId: string, options?: JobRetryOptions): Promise<api.Accepted>;
  /** Deletes a finished job, and, with `outputs`, its output files. */
  remove(jobId: string, options?: CallOptions & { readonly outputs?: boolean }): Promise<void>;
  /** Returns the lines of ffmpeg's log, but only lines in a known form. */
  log(jobId: string, options?: CallOptions): Promise<string>;
  /** Returns the key that encrypts the HLS segments of the job: 16 bytes. */
  key(jobId: string, options?: CallOptions): Promise<Uint8Array>;
  /** Waits until the job is completed, failed or cancelled. */
  wait(jobId: string, options?: PollOptions): Promise<api.Job>;
  /**
   * Yields the states and changes of jobs. Ends when the job or batch has ended, or when the caller leaves the loop. Reconnects
   * automatically.
   */
  events(options?: FollowOptions): AsyncIterable<api.LiveEvent>;
  /** Returns the format, streams, chapters and tags of a file. */
  probe(request: api.ProbeRequest, options?: CallOptions): Promise<api.MediaInfo>;
  /** Queues a job that measures a file. The complete job has the results in `measurements`. */
  analyze(request: api.AnalysisRequest, options?: SubmitOptions): Promise<api.Accepted>;
  /**
   * Uploads a `Blob`, such as the `File` of a web page, to a path in the media root. Without `replace`, rejects with PRECONDITION_FAILED if
   * the path exists. It continues after lost connections and restarts of the service.
   */
  upload(blob: Blob, path: string, options?: UploadOptions): Promise<void>;
  /** Deletes an interrupted upload that will not be continued, if the service still has it. */
  removeUpload(uploadId: string, options?: CallOptions): Promise<void>;
  /** Downloads an output of a job, or a range of bytes. Resolves when the download begins. The body continues after lost connections. */
  download(jobId: string, options?: DownloadOptions): Promise<Response>;
  /**
   * Lists the outputs of a finished job, one page per call. The job itself contains the first 100. A page has at most 1000 outputs, which
   * is the default.
   */
  outputs(jobId: string, options?: PageOptions): Promise<api.OutputList>;
  /**
   * Lists the entries of an analysis, one page per call. The job itself contains the first 1000. A page has at most 1000 entries, which is
   * the default.
   */
  measured(jobId: string, list: api.MeasuredList['list'], options?: PageOptions): Promise<api.MeasuredList>;
  /** Returns signed links to the outputs of a job, one page per call. The links need no token, and expire. */
  links(jobId: string, options?: CallOptions & api.LinksQuery): Promise<api.OutputLinks>;
  /** Downloads all outputs of a job as one zip, whose files are not compressed. It cannot continue after a lost connection. */
  downloadAll(jobId: string, options?: Omit<ReadOptions, 'range'>): Promise<Response>;
  /**
   * Shares a file, or the outputs of a job, or with `files` a folder for uploads, by a link that anyone can open without an account, until its
   * end. Only this reply contains the link. The URL is absolute.
   */
  share(what: api.NewShare, options?: CallOptions): Promise<api.CreatedShare>;
  /** Lists shared links that still work, newest first, one page per call. An administrator gets the links of all clients. */
  shares(options?: CallOptions & api.ShareListQuery): Promise<api.ShareList>;
  /** Ends a shared link at once. */
  revokeShare(shareId: string, options?: CallOptions): Promise<void>;
  /** Returns what a shared link for uploads takes. `link`: the last part of its URL, which is also the token of its uploads. */
  uploadTerms(link: string, options?: CallOptions): Promise<api.UploadTerms>;
  /** Downloads a file of the media root, like `download`. */
  readFile(path: string, options?: ReadOptions): Promise<Response>;
  /**
   * Downloads files, and folders with all that is in them, as one zip, whose files are not compressed. The path of a folder ends with a
   * slash. The download cannot continue after a lost connection.
   */
  downloadFiles(paths: readonly string[], options?: Omit<ReadOptions, 'range'>): Promise<Response>;
  /** Returns an image of a file in the media root, or of an output of a job. Default of `view`: a frame from the middle. */
  preview(file: string | PreviewedOutput, options?: CallOptions & api.PreviewQuery): Promise<Blob>;
  /**
   * Lists the files and folders whose paths begin with `prefix`, one page per call. A page has at most 1000 items, which is the default.
   * With `q`, searches the folders below too.
   */
  listFiles(prefix: string, options?: FileListOptions): Promise<api.FileList>;
  /**
   * Moves or renames a file, or a folder if `from` ends with a slash. Rejects with FILE_EXISTS if the new path is taken, and with FILE_IN_USE
   * if an unfinished job reads or writes the file.
   */
  moveFile(move: api.FileMove, options?: CallOptions): Promise<api.FileEntry>;
  /** Creates an empty folder. Rejects with FILE_EXISTS if the path is taken. */
  createFolder(path: string, options?: CallOptions): Promise<api.FileEntry>;
  /** Deletes several files and folders. With `keep`, `restoreFile` can bring them back for some time. */
  deleteFiles(deletion: api.FileDeletion, options?: CallOptions): Promise<api.FileDeletionResult>;
  /** Lists deleted files and folders that can be restored. */
  bin(options?: CallOptions): Promise<api.Bin>;
  /** Moves an entry of the bin back, or to another path. Rejects with FILE_EXISTS if the path is taken. */
  restoreFile(entryId: string, options?: CallOptions & { readonly to?: string }): Promise<api.FileEntry>;
  /** Deletes an entry of the bin permanently, or, with undefined, all of them. */
  removeFromBin(entryId: string | undefined, options?: CallOptions): Promise<void>;
  /** Deletes a file of the media root, if it exists. */
  removeFile(path: string, options?: CallOptions): Promise<void>;
  /** Deletes a folder of the media root, if it exists and is empty. */
  removeFolder(path: string, options?: CallOptions): Promise<void>;
  /** Searches the capabilities of the installed ffmpeg. `format`, `codec`, `filter` and `option` return one item with all its options. */
  formats(options?: CallOptions & api.FormatsQuery): Promise<api.FormatList>;
  format(name: string, options?: CallOptions): Promise<api.FormatDetail>;
  codecs(options?: CallOptions & api.CodecsQuery): Promise<api.CodecList>;
  codec(name: string, options?: CallOptions): Promise<api.CodecDetail>;
  filters(options?: CallOptions & api.FiltersQuery): Promise<api.FilterList>;
  filter(name: string, options?: CallOptions): Promise<api.FilterDetail>;
  options(options?: CallOptions & api.OptionsQuery): Promise<api.OptionList>;
  option(name: string, options?: CallOptions): Promise<api.OptionDetail>;
  /** Lists recipes, or finds recipes for a task: `{q: 'make it fit in 8 MB'}`. A request uses a recipe with `preset`. */
  recipes(options?: CallOptions & api.RecipesQuery): Promise<api.RecipeList>;
  /** Returns the whole definition of a recipe. */
  recipe(name: string, options?: CallOptions): Promise<api.Recipe>;
  /** Stores a recipe of this client. It replaces a recipe with the same name only if its `version` is greater. */
  putRecipe(name: string, recipe: api.RecipeDefinition, options?: CallOptions): Promise<api.Recipe>;
  /** Checks a recipe and returns the plan of a request with it. Nothing is stored or queued. */
  dryRunRecipe(name: string, sent: api.RecipeDryRun, options?: CallOptions): Promise<api.DryRun>;
  /** Deletes a recipe of this client. */
  removeRecipe(name: string, options?: CallOptions): Promise<void>;
  /** Returns how much of its quotas a client uses. Default: this client. Only administrators may name another `client`. */
  usage(options?: CallOptions & api.UsageQuery): Promise<api.Usage>;
  /** Lists what all clients use, first those that take the most space, and the free space of the disk. Only for administrators. */
  usageOfAll(options?: CallOptions & api.UsageListQuery): Promise<api.UsageList>;
  /** Lists the largest folders and files of a client. Default: this client. Only administrators may name another `client`. */
  largestFiles(options?: CallOptions & api.LargestFilesQuery): Promise<api.LargestFiles>;
  /** Registers a webhook. Only this reply contains its secret. */
  addWebhook(webhook: api.NewWebhook, options?: CallOptions): Promise<api.AddedWebhook>;
  /** Lists the webhooks of the client, oldest first. */
  webhooks(options?: CallOptions): Promise<api.WebhookList>;
  webhook(webhookId: string, options?: CallOptions): Promise<api.Webhook>;
  /** Changes, enables or disables a webhook. */
  changeWebhook(webhookId: string, change: api.WebhookChange, options?: CallOptions): Promise<api.Webhook>;
  removeWebhook(webhookId: string, options?: CallOptions): Promise<void>;
  /** Creates a new secret for a webhook, or, with undefined, for the `callbackUrl` of requests. Only this reply contains the secret. */
  rotateWebhookSecret(webhookId: string | undefined, options?: CallOptions): Promise<api.RotatedSecret>;
  /** Lists the secrets that sign requests to a `callbackUrl`. The text of the secrets is not included. */
  callbackSecrets(options?: CallOptions): Promise<api.CallbackSecrets>;
  /** Sends a test event to a webhook. */
  testWebhook(webhookId: string, options?: CallOptions): Promise<api.Delivery>;
  /** Lists the newest deliveries of a webhook. */
  webhookDeliveries(webhookId: string, options?: DeliveryOptions): Promise<api.DeliveryList>;
  /** Lists the newest deliveries about a job. */
  jobDeliveries(jobId: string, options?: DeliveryOptions): Promise<api.DeliveryList>;
  /** Lists the newest deliveries about a batch. Deliveries about its jobs are not included. */
  batchDeliveries(batchId: string, options?: DeliveryOptions): Promise<api.DeliveryList>;
  /** Returns a delivery of a webhook with the body of its requests. */
  webhookDelivery(webhookId: string, deliveryId: string, options?: CallOptions): Promise<api.SentDelivery>;
  /** Sends the event of a delivery to the webhook again. */
  replayDelivery(webhookId: string, deliveryId: string, options?: CallOptions): Promise<api.Delivery>;
  /** Sends the event of a delivery about a job to its receiver again. The receiver is a webhook or the callback of the request. */
  replayJobDelivery(jobId: string, deliveryId: string, options?: CallOptions): Promise<api.Delivery>;
  /** Sends the event of a delivery about a batch to its receiver again. The receiver is a webhook or the callback of the batch. */
  replayBatchDelivery(batchId: string, deliveryId: string, options?: CallOptions): Promise<api.Delivery>;
  /** Converts the files of a folder, and each that lands there later, once by `request`. `existing: 'ignore'` leaves out those that are there. */
  addWatch(watch: api.NewWatch, options?: CallOptions): Promise<api.Watch>;
  /** Checks a watch, and returns what it would convert now. Nothing is stored. */
  dryRunWatch(watch: api.NewWatch, options?: CallOptions): Promise<api.WatchDryRun>;
  /** Lists the watches of this client, oldest first, with the number of their files in each state. */
  watches(options?: CallOptions & api.WatchListQuery): Promise<api.WatchList>;
  watch(watchId: string, options?: CallOptions): Promise<api.Watch>;
  /** Changes a watch. `{state: 'PAUSED'}` pauses it, `ACTIVE` resumes it and lists its folder at once. */
  changeWatch(watchId: string, change: api.WatchChange, options?: CallOptions): Promise<api.Watch>;
  /** Deletes a watch with what it knows about files. Its jobs, its outputs and the files stay. */
  removeWatch(watchId: string, options?: CallOptions): Promise<void>;
  /** Lists the files of a watch by path, one page per call. */
  watchedFiles(watchId: string, options?: CallOptions & api.WatchedFilesQuery): Promise<api.WatchedFileList>;
  /** Converts files of a watch again: these paths, or by default all that need attention. */
  retryWatch(watchId: string, options?: WatchRetryOptions): Promise<api.WatchRetried>;
  /** Returns the version of the service. Needs no permission. */
  health(options?: CallOptions): Promise<api.Health>;
  /** Returns whether the service can accept work, and which checks fail. Needs no permission. */
  ready(options?: CallOptions): Promise<api.Ready>;
  /** Returns the state of the queue. This call and the calls below it are for administrators. */
  queue(options?: CallOptions): Promise<api.Queue>;
  /** Returns how many jobs were accepted, started and ended in each interval. Default of `span`: a day. */
  queueHistory(options?: CallOptions & api.QueueHistoryQuery): Promise<api.QueueHistory>;
  /** Pauses the queue. Jobs are accepted and running jobs continue, but no job starts. */
  pauseQueue(options?: CallOptions): Promise<api.Queue>;
  resumeQueue(options?: CallOptions): Promise<api.Queue>;
  /** Lists the workers with the jobs that they run. */
  workers(options?: CallOptions): Promise<api.WorkerList>;
  /** Tells a worker to claim no more jobs. */
  drainWorker(workerId: string, options?: CallOptions): Promise<api.Worker>;
  /** Tells a worker to claim jobs again. */
  resumeWorker(workerId: string, options?: CallOptions): Promise<api.Worker>;
  /** Lists one page of the audit log. */
  audit(options?: CallOptions & api.AuditQuery): Promise<api.AuditList>;
  /** Lists all clients. This call and the next five are for administrators. */
  clients(options?: CallOptions): Promise<api.ClientList>;
  /** Adds a client. Only this reply contains the secret; if it is lost, `rotateClient` creates a new one. */
  addClient(client: api.NewClient, options?: CallOptions): Promise<api.ClientWithSecret>;
  changeClient(clientId: string, changes: api.ClientChanges, options?: CallOptions): Promise<api.Client>;
  /** Gives a client a new secret. The old secret works for `graceHours` more. Default: 0, it becomes invalid at once. */
  rotateClient(clientId: string, options?: RotateOptions): Promise<api.ClientWithSecret>;
  /** Revokes a client permanently. Rejects if it is the last administrator. */
  revokeClient(clientId: string, options?: CallOptions): Promise<api.Client>;
  /** Runs the checks of `telecine doctor` in the service. */
  doctor(options?: CallOptions): Promise<api.Doctor>;
}
