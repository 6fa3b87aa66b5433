import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';
import { waitUntil } from './wait.ts';

/** A span as OTLP/JSON writes it. Times are decimal nanoseconds. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** A receiver of OTLP over HTTP. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The value of a header field of each export. */
  header(name: string): readonly (string | undefined)[];
  /** Waits until a span of each name has come, and returns them by name. */
  receive<const N extends string>(traceId: string, ...names: readonly N[]): Promise<Readonly<Record<N, ReceivedSpan>>>;
}

/** The value of an attribute, whatever its type. */
export const attributeOf = ({ attributes }: Pick<ReceivedSpan, 'attributes'>, key: string): unknown =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

/** Starts a receiver for the current test, which answers each export with `status`. */
export async function startOtlpReceiver(status = 200): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer(async (request, reply) => {
    headers.push(request.headers);
    const isExport = request.method === 'POST' && request.url === '/v1/traces';
    const body = (await json(request)) as ExportRequest;
    if (isExport)
      for (const { scopeSpans } of body.resourceSpans) spans.push(...scopeSpans.flatMap((one) => one.spans));
    reply.writeHead(isExport ? status : 404, { 'content-type': 'application/json' }).end('{}');
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    spans,
    header: (name) => headers.map((fields) => fields[name] as string | undefined),
    receive: <N extends string>(traceId: string, ...names: readonly N[]) =>
      waitUntil(`spans ${names.join(', ')}`, async () => {
        const found = names.flatMap((name) => spans.filter((span) => span.traceId === traceId && span.name === name));
        if (names.some((name) => found.every((span) => span.name !== name))) return undefined;
        return Object.fromEntries(found.map((span) => [span.name, span])) as Record<N, ReceivedSpan>;
      }),
  };
}
