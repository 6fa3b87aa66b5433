import type { Server } from 'node:http';

/**
 * Node would ask for the body of every request that waits to be asked (`Expect: 100-continue`). An upload is asked for
 * once it is known to be welcome, so that one that is refused is not sent.
 */
export function askForBodies(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (request.method !== 'PUT') response.writeContinue();
    server.emit('request', request, response);
  });
}
