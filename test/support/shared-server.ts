import { rememberSuccess } from '../../packages/contract/src/domain/remember.ts';
import { type ApiClient, adminClient } from './api-client.ts';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';

/** A server that the tests of a file share, and its admin client. */
export interface SharedServer {
  readonly server: TestServer;
  readonly admin: ApiClient;
}

/** Starts the server at the first call, so that a file whose tests are all skipped starts none. A start that failed is tried again. */
export function sharedServer(options: TestServerOptions = {}): () => Promise<SharedServer> {
  return rememberSuccess(async () => {
    const server = await startServer(options);
    return { server, admin: await adminClient(server) };
  });
}
