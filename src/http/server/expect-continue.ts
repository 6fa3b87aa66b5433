import type { IncomingMessage, Server } from 'node:http';
import { ENDPOINTS } from '../../wire/endpoints.ts';

/**
 * Sends `100 Continue` at once for every request that expects it, except for uploads. For an upload it is sent when the
 * body is first read, so that the client does not send a file that is then rejected.
 */
export function deferContinueOfUploads(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (!isUpload(request)) response.writeContinue();
    server.emit('request', request, response);
  });
}

const isUpload = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'PUT' || method === 'PATCH' || (method === 'POST' && url.startsWith(ENDPOINTS.createUpload.path));
