import type { Server } from 'node:http';

/**
 * Sends `100 Continue` for every request that expects it, except for uploads. By default Node sends it for these too.
 * An upload gets it when its body is first read, so that a client does not send a file that is then rejected.
 */
export function deferContinueOfUploads(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (request.method !== 'PUT') response.writeContinue();
    server.emit('request', request, response);
  });
}
