import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { ListObjectsV2Command, type ListObjectsV2CommandInput, type S3Client } from '@aws-sdk/client-s3';
import { FolderUnreachable } from '../../watches/ports.ts';
import { plainETag } from './errors.ts';

/** An object as a list shows it. `key`: encoded as in the list; see `ObjectPage.isEncoded`. */
export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** Without quotes. */
  readonly etag: string;
}

export interface ObjectPage {
  readonly objects: readonly ListedObject[];
  /** Whether keys are encoded as in URLs. Some servers ignore that the request asks for it. */
  readonly isEncoded: boolean;
  /** The token of the next page. undefined: this is the last one. */
  readonly next: string | undefined;
}

/** Yields the pages of a list, with only the facts that a scan needs: the SDK takes ten times as long to parse all of them. */
export async function* listObjects(
  client: S3Client,
  request: Pick<ListObjectsV2CommandInput, 'Bucket' | 'Prefix' | 'Delimiter'>,
  signal: AbortSignal,
): AsyncGenerator<ObjectPage, void> {
  for (let token: string | undefined, more = true; more; ) {
    const page = await requestPage(client, { ...request, EncodingType: 'url', ContinuationToken: token }, signal);
    yield page;
    // Such a server would let the list never end.
    if (page.next !== undefined && page.next === token) throw new FolderUnreachable('down');
    token = page.next;
    more = token !== undefined;
  }
}

async function requestPage(
  client: S3Client,
  request: ListObjectsV2CommandInput,
  signal: AbortSignal,
): Promise<ObjectPage> {
  const command = new ListObjectsV2Command(request);
  let page: ObjectPage | undefined;
  // Takes the body of a successful reply away from the SDK, which signs, sends and repeats the request, and reads errors.
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = toReply(result.response);
      if (response === undefined) return result;
      const xml = await readText(response.body);
      page = parsePage(xml);
      response.body = Readable.from([page === undefined ? xml : EMPTY]);
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'listObjects' },
  );
  const parsed = await client.send(command, { abortSignal: signal });
  return (
    page ?? {
      objects: (parsed.Contents ?? []).map(({ Key = '', Size = 0, ETag }) => ({
        ...{ key: Key, sizeBytes: Size, etag: plainETag(ETag) },
      })),
      isEncoded: parsed.EncodingType === 'url',
      next: parsed.IsTruncated === true ? (parsed.NextContinuationToken ?? cutOff()) : undefined,
    }
  );
}

function cutOff(): never {
  throw new FolderUnreachable('down');
}

/** A reply that the SDK reads as a list without objects. */
const EMPTY = '<ListBucketResult/>';

/** Returns a successful reply with a stream as its body. */
function toReply(response: unknown): { readonly statusCode: number; body: Readable } | undefined {
  const reply = response as { readonly statusCode?: unknown; body?: unknown };
  return reply.statusCode === 200 && reply.body instanceof Readable
    ? (reply as { readonly statusCode: number; body: Readable })
    : undefined;
}

const OBJECT = '<Contents>';
const OBJECT_END = '</Contents>';

/** Reads a page of a list. undefined: it is not one, or is cut off. */
export function parsePage(xml: string): ObjectPage | undefined {
  const isList = /^\s*(?:<\?xml[^>]*\?>\s*)?<ListBucketResult[\s>]/.test(xml.slice(0, 300));
  if (!isList || !xml.trimEnd().endsWith('</ListBucketResult>')) return undefined;
  const objects: ListedObject[] = [];
  let rest = '';
  let from = 0;
  for (let start = xml.indexOf(OBJECT); start >= 0; start = xml.indexOf(OBJECT, from)) {
    const end = xml.indexOf(OBJECT_END, start);
    if (end < 0) return undefined;
    rest += xml.slice(from, start);
    from = end + OBJECT_END.length;
    const key = textIn(xml, 'Key', start, end);
    if (key === undefined) return undefined;
    objects.push({
      key: unescapeXml(key),
      sizeBytes: Number(textIn(xml, 'Size', start, end) ?? 0),
      etag: plainETag(unescapeXml(textIn(xml, 'ETag', start, end) ?? '')),
    });
  }
  // Look for the other fields outside of the objects only: a key can contain any text.
  rest += xml.slice(from);
  const isTruncated = textIn(rest, 'IsTruncated') === 'true';
  const token = textIn(rest, 'NextContinuationToken');
  // A list that says that it goes on, but not where, must not count as whole.
  if (isTruncated && token === undefined) return undefined;
  return {
    objects,
    isEncoded: textIn(rest, 'EncodingType') === 'url',
    next: isTruncated && token !== undefined ? unescapeXml(token) : undefined,
  };
}

/** The text of the first element `name` between two positions. */
function textIn(xml: string, name: string, from = 0, to = xml.length): string | undefined {
  const start = xml.indexOf(`<${name}>`, from);
  if (start < 0 || start >= to) return undefined;
  const first = start + name.length + 2;
  const end = xml.indexOf('<', first);
  return end < 0 ? undefined : xml.slice(first, end);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
