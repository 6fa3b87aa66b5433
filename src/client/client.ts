import type { z } from 'zod';
import { pathOf } from '../wire/endpoints.ts';
import type { JobView } from '../wire/job.ts';
import type { MediaInfoView, probeBody } from '../wire/probe.ts';
import { ClientError } from './client-error.ts';
import { type DownloadOptions, download } from './download.ts';
import { type JobCalls, jobCalls } from './jobs.ts';
import type { Credentials } from './tokens.ts';
import { type CallOptions, createTransport } from './transport.ts';
import { type UploadOptions, upload } from './upload.ts';
import { type WaitOptions, waitForJob } from './wait.ts';

/** What to look into: the body of `POST /api/probe`. */
export type ProbeRequest = z.input<typeof probeBody>;

/**
 * A Telecine service as one caller sees it. Each call rejects with `ClientError`; what is safe to send again is, while
 * the service is busy (`Retry-After`) or out of reach. Tokens are obtained and renewed as needed.
 */
export interface TelecineClient extends JobCalls {
  /** The service's address. */
  readonly url: string;
  /** The job once it has ended, however it ended. */
  wait(jobId: string, options?: WaitOptions): Promise<JobView>;
  /** Streams, format, chapters and tags of a file. */
  probe(request: ProbeRequest, options?: CallOptions): Promise<MediaInfoView>;
  /** Sends a local file to a path of the media root; refused where one is there, unless `replace`. */
  upload(file: string, path: string, options?: UploadOptions): Promise<void>;
  /** Fetches what a job made into a local file, whole or not at all. */
  download(jobId: string, target: string, options?: DownloadOptions): Promise<void>;
  /** Deletes a file of the media root; one that is not there is no error. */
  removeFile(path: string, options?: CallOptions): Promise<void>;
  /** Deletes an empty folder of the media root; one that is not there, or not empty, is no error. */
  removeFolder(path: string, options?: CallOptions): Promise<void>;
}

/** @param url Where the service is, such as `http://127.0.0.1:8080`; a path before its own is kept. */
export function createClient(url: string, credentials: Credentials): TelecineClient {
  const transport = createTransport(url, credentials);
  const { call } = transport;
  /** `fine`: codes of problems that are none here. */
  const remove = async (path: string, fine: readonly string[], signal: AbortSignal | undefined): Promise<void> => {
    try {
      await call({ method: 'DELETE', path, repeatable: true, signal }, async () => undefined);
    } catch (error) {
      if (!(error instanceof ClientError) || !fine.includes(error.problem?.code ?? '')) throw error;
    }
  };
  return {
    url: transport.url,
    ...jobCalls(transport),
    wait: (jobId, options) => waitForJob(transport, jobId, options),
    probe: (body, { signal } = {}) =>
      call(
        { method: 'POST', path: '/api/probe', body, repeatable: true, withinSeconds: 0, signal },
        (answer) => answer.json() as Promise<MediaInfoView>,
      ),
    upload: (file, path, options) => upload(transport, file, path, options),
    download: (jobId, target, options) => download(transport, jobId, target, options),
    removeFile: (path, { signal } = {}) => remove(pathOf('downloadFile', { path }), ['FILE_NOT_FOUND'], signal),
    removeFolder: (path, { signal } = {}) =>
      remove(`${pathOf('downloadFile', { path })}/`, ['FILE_NOT_FOUND', 'FOLDER_NOT_EMPTY'], signal),
  };
}
