import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** What a proxy does with one request. */
export type S3Fault =
  /** Closes the connection before the server receives the request. */
  | 'reset'
  /** Passes the request on, and closes the connection when the reply has begun. */
  | 'lose reply'
  /** Replies as a server does that is asked too much. */
  | 'slow down'
  /** Replies with an error. */
  | { readonly status: number; readonly code: string }
  /** Closes the connection after this number of bytes of the reply's body. */
  | { readonly cutAfterBytes: number }
  /** Closes the connection after this number of bytes of the request's body. */
  | { readonly resetAfterBytes: number }
  /** Does the request this late, also if the client has gone meanwhile. `onDone` is called afterwards. */
  | { readonly lateMs: number; readonly onDone: () => void };

export interface S3Request {
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  /** The ETag that the object must have. */
  readonly ifMatch?: string;
  /** The bytes that a read asks for, as `bytes=0-99`. */
  readonly range?: string;
  /** The object that it copies, as `bucket/key`. */
  readonly copySource?: string;
}

/** The fault of a request, if it has one. The proxy passes the request on once this resolves. */
export type FaultOf = (request: S3Request) => S3Fault | undefined | Promise<S3Fault | undefined>;

/** Creates a server that passes requests on to an S3 server, with faults. The caller lets it listen, and closes it. */
export function s3FaultServer(endpoint: string, faultOf: FaultOf): Server {
  return createServer(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { 'x-amz-copy-source': copySource } = incoming.headers;
    const fault = await faultOf({
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      ...(incoming.headers['if-match'] !== undefined && { ifMatch: incoming.headers['if-match'] }),
      ...(incoming.headers.range !== undefined && { range: incoming.headers.range }),
      ...(copySource !== undefined && { copySource: String(copySource) }),
    });
    if (fault === 'reset') {
      incoming.socket.destroy();
      return;
    }
    const error = fault === 'slow down' ? { status: 503, code: 'SlowDown' } : fault;
    if (typeof error === 'object' && 'status' in error) {
      incoming.resume();
      outgoing
        .writeHead(error.status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${error.code}</Code><Message>A fault of the test.</Message></Error>`);
      return;
    }
    // The signature of a request covers the header field Host, so it stays.
    const { method, headers } = incoming;
    if (typeof fault === 'object' && 'lateMs' in fault) {
      const body = await buffer(incoming);
      await delay(fault.lateMs);
      const late = request(new URL(incoming.url ?? '/', endpoint), { method, headers, agent: false }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.once('end', fault.onDone).pipe(outgoing);
      });
      late.end(body);
      return;
    }
    const forwarded = request(new URL(incoming.url ?? '/', endpoint), { method, headers, agent: false }, (reply) => {
      if (outgoing.destroyed) {
        // The client has gone meanwhile.
        reply.destroy();
        return;
      }
      if (fault === 'lose reply') {
        // Once the reply has arrived, the server has done the request.
        reply.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      if (typeof fault === 'object' && 'cutAfterBytes' in fault) cut(reply, outgoing, fault.cutAfterBytes);
      else pipeline(reply, outgoing, () => {});
    });
    forwarded.once('error', () => incoming.socket.destroy());
    incoming.once('close', () => {
      if (!incoming.complete) forwarded.destroy();
    });
    if (typeof fault === 'object' && 'resetAfterBytes' in fault) {
      let left = fault.resetAfterBytes;
      incoming.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left <= 0) incoming.socket.resetAndDestroy();
      });
    }
    incoming.pipe(forwarded);
  });
}

/** Sends the first bytes of a reply, then closes the connection. */
function cut(reply: IncomingMessage, outgoing: ServerResponse, bytes: number): void {
  let left = bytes;
  reply.on('data', (chunk: Buffer) => {
    if (left === 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    outgoing.write(part, () => {
      if (left === 0) outgoing.socket?.destroy();
    });
  });
  reply.once('end', () => outgoing.destroy());
}
