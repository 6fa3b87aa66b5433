import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers a request. `count`: how many requests the path had before. */
export type FileAnswer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** A web server with files, on a loopback port. */
export interface FileSite {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `127.0.0.1:PORT`, as a setting lists it. */
  readonly host: string;
  /** The requests so far: method, path with query, and the headers. */
  readonly requests: readonly { readonly line: string; readonly headers: IncomingMessage['headers'] }[];
  /** Sets what a path, without its query, answers. */
  answer(path: string, answer: FileAnswer | Uint8Array): void;
  close(): void;
}

/** Starts a server. A path without an answer is a 404. */
export async function startFileSite(): Promise<FileSite> {
  const answers = new Map<string, FileAnswer>();
  const requests: { line: string; headers: IncomingMessage['headers'] }[] = [];
  const counts = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response, count);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    answer: (path, answer) => {
      answers.set(path, answer instanceof Uint8Array ? (_request, response) => void response.end(answer) : answer);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A path that sends a byte a second, until the test releases it. Then its connections are cut, and it is a 404. */
export interface SlowFile {
  readonly url: string;
  /** How many requests it has had. */
  readonly requests: () => number;
  readonly release: () => void;
}

/** Adds a slow file to a site. It declares a size of 1 MiB. */
export function slowFile(site: FileSite, path: string): SlowFile {
  const responses = new Set<ServerResponse>();
  let requests = 0;
  let isReleased = false;
  site.answer(path, (_request, response) => {
    requests += 1;
    if (isReleased) return void response.writeHead(404).end();
    responses.add(response);
    response.writeHead(200, { 'content-length': 2 ** 20 }).write('a');
    const timer = setInterval(() => response.write('a'), 1000);
    response.on('close', () => clearInterval(timer));
  });
  return {
    url: site.url + path,
    requests: () => requests,
    release: () => {
      isReleased = true;
      for (const response of responses) response.destroy();
    },
  };
}

/**
 * Sends a file by ranges, as web servers do, with an ETag, or with `headers` instead. `cutAfter`: the connection closes after
 * so many bytes. A client loses what it has not read by then, unless `received` waits until it has that much of the file.
 */
export function sendFile(
  { headers: { range, 'if-range': ifRange } }: IncomingMessage,
  response: ServerResponse,
  file: Uint8Array,
  {
    etag = '"version-1"',
    headers = { etag },
    cutAfter,
    received = async () => {},
  }: {
    readonly etag?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly cutAfter?: number;
    readonly received?: (bytes: number) => Promise<void>;
  } = {},
): void {
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const [first, last] = [Number(from), to === '' ? file.length - 1 : Math.min(Number(to), file.length - 1)];
  const isSame = ifRange === undefined || Object.values(headers).includes(String(ifRange));
  const isPart = from !== '' && isSame && first < file.length;
  const rest = isPart ? file.subarray(first, last + 1) : file;
  response.writeHead(isPart ? 206 : 200, {
    ...headers,
    'content-length': rest.length,
    ...(isPart && { 'content-range': `bytes ${first}-${last}/${file.length}` }),
  });
  if (cutAfter === undefined || cutAfter >= rest.length) response.end(rest);
  else {
    response.write(rest.subarray(0, cutAfter));
    void received(first + cutAfter).finally(() => response.socket?.end());
  }
}
