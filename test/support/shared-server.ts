import { type ApiClient, adminClient } from './api-client.ts';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';

/** A server that the tests of one file share, and its administrator. */
export interface SharedServer {
  readonly server: TestServer;
  readonly admin: ApiClient;
}

/** Started when the first test asks for it, so that a file whose tests are all skipped starts nothing. */
export function sharedServer(options: TestServerOptions = {}): () => Promise<SharedServer> {
  let started: Promise<SharedServer> | undefined;
  return () => {
    started ??= startServer(options).then(async (server) => ({ server, admin: await adminClient(server) }));
    return started;
  };
}
