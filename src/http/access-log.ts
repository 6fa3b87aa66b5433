import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoClock } from './iso-clock.ts';
import { batchLines, type LineSink } from './line-batch.ts';

/** To be called when a request begins; what it returns, when its response is over or its client gone. */
export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => () => void;

/**
 * Writes the one line that the log has of a request, in the shape of the service's other lines. Never the query
 * string, which may hold secrets of clients that know no better; never a header. Put together by hand: pino takes
 * 3.5 µs for it, a sixth of what a submission takes in all.
 */
export function openAccessLog(sink: LineSink): AccessLog {
  const write = batchLines(sink);
  const time = isoClock();
  const what = lastMade(
    (method: string, path: string, status: number) =>
      `","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":`,
  );
  const who = lastMade((clientId: string | undefined, address: string, more: string) => {
    const client = clientId === undefined ? '' : `,"clientId":${JSON.stringify(clientId)}`;
    return `${client},"address":${JSON.stringify(address)}${more},"msg":"request"}\n`;
  });

  return (request, reply) => {
    const start = performance.now();
    // Now: once the client has hung up, its address is no longer known.
    const address = request.ip ?? '';
    return () => {
      const { url, caller, asked } = request;
      const query = url.indexOf('?');
      const path = query < 0 ? url : url.slice(0, query);
      const ms = hundredths(performance.now() - start);
      const rpc = asked === null ? '' : `,"rpc":${JSON.stringify(asked.rpc)},"llmId":${JSON.stringify(asked.llmId)}`;
      const aborted = reply.raw.writableFinished ? '' : ',"aborted":true';
      write(
        `{"level":"info","time":"${time()}","requestId":"${request.id}${what(request.method, path, reply.statusCode)}${ms}` +
          who(caller?.clientId, address, rpc + aborted),
      );
    };
  };
}

/** Remembers the last text made: under load one request is much like the one before, and most of its line the same. */
function lastMade<A, B, C>(make: (a: A, b: B, c: C) => string): (a: A, b: B, c: C) => string {
  let last: { readonly a: A; readonly b: B; readonly c: C; readonly text: string } | undefined;
  return (a, b, c) => {
    if (last === undefined || last.a !== a || last.b !== b || last.c !== c) last = { a, b, c, text: make(a, b, c) };
    return last.text;
  };
}

/** As `toFixed(2)` of a number that is not negative, at a fifth of its price. */
function hundredths(value: number): string {
  const rounded = Math.round(value * 100);
  const rest = rounded % 100;
  return `${Math.floor(rounded / 100)}.${rest < 10 ? '0' : ''}${rest}`;
}
