import type { Server } from 'node:http';

/**
 * Sends `100 Continue` at once for every request that expects it, except for uploads. For an upload it is sent when the
 * body is first read, so that the client does not send a file that is then rejected.
 */
export function deferContinueOfUploads(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (request.method !== 'PUT') response.writeContinue();
    server.emit('request', request, response);
  });
}
