import { fileCalls } from './calls/file-calls.ts';
import { jobCalls } from './calls/job-calls.ts';
import { serviceCalls } from './calls/service-calls.ts';
import type { ClientAuth, ClientOptions } from './options.ts';
import type { TelecineClient } from './telecine-client.ts';
import { createTransport } from './transport.ts';

/** @param url The URL of the service, such as `http://127.0.0.1:8080`. It may have a path. */
export function createClient(url: string, auth: ClientAuth, options?: ClientOptions): TelecineClient {
  const transport = createTransport(url, auth, options);
  return { url: transport.url, ...fileCalls(transport), ...jobCalls(transport), ...serviceCalls(transport) };
}
