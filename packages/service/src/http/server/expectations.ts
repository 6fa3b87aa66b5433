import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';

/**
 * Sends `100 Continue` at once. For an upload, sends it only when the body is read, so that a client does not send a
 * file that is rejected. `checkExpectation` handles other expectations, because Node's own reply is not a problem
 * document.
 */
export function handleExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (!isUpload(request)) response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => {
    // Close the connection after the reply: nobody knows whether the client then sends its body.
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Throws BAD_REQUEST for an `Expect` besides `100-continue`, and NOT_IMPLEMENTED for a coding that Node does not decode (RFC 9112, 6.1). */
export function checkExpectation({ expect, 'transfer-encoding': coding = 'chunked' }: IncomingHttpHeaders): void {
  if (coding.trim().toLowerCase() !== 'chunked')
    throw new Problem('NOT_IMPLEMENTED', `"Transfer-Encoding: ${coding.slice(0, 40)}" is not supported. Send chunked.`);
  if (expect === undefined || /\b100-continue\b/i.test(expect)) return;
  throw new Problem(
    'BAD_REQUEST',
    `"Expect: ${expect.slice(0, 40)}" is not supported. Send "Expect: 100-continue", or no Expect.`,
  );
}

const isUpload = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'PUT' || method === 'PATCH' || (method === 'POST' && url.startsWith(ENDPOINTS.createUpload.path));
