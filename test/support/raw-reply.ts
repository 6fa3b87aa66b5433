import { buffer } from 'node:stream/consumers';
import type { Exchange } from './openapi-contract.ts';

type Reply = Omit<Exchange, 'method' | 'url'>;

const HEAD_END = '\r\n\r\n';

/** Reads a connection to its end as HTTP/1.1 replies with a Content-Length. */
export async function rawReplies(socket: NodeJS.ReadableStream): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let rest = await buffer(socket); rest.length > 0; ) {
    const end = rest.indexOf(HEAD_END);
    const [start = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length']);
    if (end < 0 || Number.isNaN(length)) throw new Error(`This is no reply that says its length: ${rest}`);
    const bodyEnd = end + HEAD_END.length + length;
    replies.push({
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]),
      headers,
      body: rest.toString('utf8', end + HEAD_END.length, bodyEnd),
    });
    rest = rest.subarray(bodyEnd);
  }
  return replies;
}

/** Like `rawReplies`, for a single reply. */
export async function rawReply(socket: NodeJS.ReadableStream): Promise<Reply> {
  const [reply, ...more] = await rawReplies(socket);
  if (reply === undefined || more.length > 0) throw new Error(`There were ${more.length + (reply ? 1 : 0)} replies`);
  return reply;
}
