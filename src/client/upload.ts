import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ClientRequest, request as http, type IncomingMessage } from 'node:http';
import { request as https } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pathOf } from '../wire/endpoints.ts';
import { ClientError } from './client-error.ts';
import { refusal } from './error-response.ts';
import { type CallOptions, isLocal, type Transport, unreachable } from './transport.ts';

/** Called now and then while bytes go over. */
export type OnBytes = (done: number, total: number) => void;

export interface UploadOptions extends CallOptions {
  /** Replaces a file that is there; else that is refused with PRECONDITION_FAILED. */
  readonly replace?: boolean;
  readonly onBytes?: OnBytes | undefined;
}

/** A proxy may not hand on that the body is welcome. */
const SEND_ANYWAY_MS = 1000;
/** Nothing went over and no answer came. */
const STALLED_MS = 300_000;

/**
 * Sends a local file as it is to `path` of the caller's media root; it is read as it is sent. What is refused is not
 * sent: fetch cannot wait for that, so this is Node's own client. Rejects with the error of Node where it cannot be read.
 */
export async function upload(
  transport: Transport,
  file: string,
  path: string,
  { replace = false, onBytes, signal }: UploadOptions = {},
): Promise<void> {
  let lost = false;
  await transport.attempt({ repeatable: true, signal }, async (token) => {
    const { size } = await stat(file);
    try {
      const headers = { authorization: `Bearer ${token}`, ...(replace ? {} : { 'if-none-match': '*' }) };
      await put(`${transport.url}${pathOf('downloadFile', { path })}`, file, size, headers, onBytes, signal);
    } catch (error) {
      if (error instanceof ClientError) {
        // The reply to the try before was lost, and that try is what stands there.
        if (lost && error.status === 412 && (await sizeOf(transport, path, signal)) === size) return;
        throw error;
      }
      if (signal?.aborted || isLocal(error)) throw error;
      lost = true;
      throw unreachable(transport.url, error);
    }
  });
}

async function put(
  url: string,
  file: string,
  size: number,
  headers: Readonly<Record<string, string>>,
  onBytes: OnBytes | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const sent = (url.startsWith('https:') ? https : http)(url, {
    method: 'PUT',
    agent: false,
    headers: { ...headers, 'content-length': size, 'content-type': 'application/octet-stream', expect: '100-continue' },
    ...(signal === undefined ? {} : { signal }),
  });
  sent.setTimeout(STALLED_MS, () => sent.destroy(new Error('nothing went over for five minutes')));
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  );
  // Whoever waits for it comes later.
  answered.catch(() => undefined);
  try {
    // An answer that comes before the body's end is a refusal, and more telling than the broken pipe that may follow.
    if (await welcome(sent, answered))
      await Promise.race([send(sent, file, size, onBytes).catch(() => answered), answered]);
    const answer = await answered;
    const { statusCode: status = 0 } = answer;
    const said = await text(answer);
    if (status < 200 || status >= 300)
      throw refusal({ status, header: (name) => answer.headers[name]?.toString(), body: said });
  } finally {
    sent.destroy();
  }
}

/** false: an answer has come before the body was asked for. */
async function welcome(sent: ClientRequest, answered: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const ready = new Promise<boolean>((resolve) => {
    sent.once('continue', () => resolve(true));
    timer = setTimeout(resolve, SEND_ANYWAY_MS, true);
    sent.flushHeaders();
  });
  return Promise.race([ready, answered.then(() => false)]).finally(() => clearTimeout(timer));
}

async function send(sent: ClientRequest, file: string, size: number, onBytes: OnBytes | undefined): Promise<void> {
  let done = 0;
  onBytes?.(done, size);
  await pipeline(
    createReadStream(file),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        yield chunk;
        done += chunk.length;
        onBytes?.(done, size);
      }
      if (done !== size) throw new Error(`${file} has changed while it was sent`);
    },
    sent,
  );
}

const sizeOf = (transport: Transport, path: string, signal: AbortSignal | undefined): Promise<number> =>
  transport.call({ method: 'HEAD', path: pathOf('downloadFile', { path }), signal }, async ({ headers }) =>
    Number(headers.get('content-length')),
  );
