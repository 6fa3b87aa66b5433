import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';

/**
 * Sends `100 Continue` at once, except for uploads: the first read of their body sends it, so that a client does not send a rejected
 * file. Leaves other expectations to `checkExpectation`, because Node's reply is not a problem document.
 */
export function handleExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (!isUpload(request)) response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => {
    // The client may or may not send its body after the reply.
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Throws BAD_REQUEST for an expectation that HTTP/1.1 does not define. */
export function checkExpectation({ expect }: IncomingHttpHeaders): void {
  if (expect === undefined || /\b100-continue\b/i.test(expect)) return;
  throw new Problem(
    'BAD_REQUEST',
    `"Expect: ${expect.slice(0, 40)}" is not supported. Send "Expect: 100-continue", or no Expect.`,
  );
}

const isUpload = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'PUT' || method === 'PATCH' || (method === 'POST' && url.startsWith(ENDPOINTS.createUpload.path));
