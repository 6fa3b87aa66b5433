import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { contractAt } from './openapi-contract.ts';

/** A reply with its body as bytes. */
export interface FileReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

/** A client of the file routes. Sends paths unchanged, which fetch does not. Checks each reply against /openapi.json. */
export interface FilesClient {
  send(method: string, path: string, headers?: OutgoingHttpHeaders, body?: string | Uint8Array): Promise<FileReply>;
  put(path: string, body: string | Uint8Array, headers?: OutgoingHttpHeaders): Promise<FileReply>;
  get(path: string, headers?: OutgoingHttpHeaders): Promise<FileReply>;
}

/** The URL path of a file, with every segment escaped. */
export const fileAt = (path: string): string => `/api/files/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Opens a request. The caller writes the body and reads the reply. */
export function openRequest(url: string, method: string, path: string, headers: OutgoingHttpHeaders) {
  const sent = request(url, { method, path, headers, agent: false });
  const answered = once(sent, 'response').then(([reply]) => reply as IncomingMessage);
  // A test that only cuts the connection does not await the reply.
  answered.catch(() => undefined);
  return { sent, answered };
}

export function filesClient(url: string, token: string | undefined): FilesClient {
  let contract: ReturnType<typeof contractAt> | undefined;
  const send: FilesClient['send'] = async (method, path, headers = {}, body) => {
    contract ??= contractAt(url);
    const check = await contract;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { sent, answered } = openRequest(url, method, path, { ...authorization, ...headers });
    sent.end(body);
    const reply = await answered;
    const bytes = await buffer(reply);
    const status = reply.statusCode ?? 0;
    const replyHeaders = reply.headers as FileReply['headers'];
    check({ method, url: path, status, headers: replyHeaders, body: bytes.toString() });
    return { status, headers: replyHeaders, bytes };
  };
  return {
    send,
    put: (path, body, headers) =>
      send('PUT', fileAt(path), { 'content-length': Buffer.byteLength(body), ...headers }, body),
    get: (path, headers) => send('GET', fileAt(path), headers),
  };
}

/** The code of a problem document. */
export const codeOf = ({ bytes }: FileReply): string => (JSON.parse(bytes.toString()) as { code: string }).code;
