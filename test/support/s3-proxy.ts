import { listenOnLoopback } from './loopback.ts';
import { type FaultOf, type S3Request, s3FaultServer } from './s3-fault-server.ts';

export type { FaultOf, S3Fault, S3Request } from './s3-fault-server.ts';

/** Starts a proxy before an S3 server, for the current test. */
export async function startS3Proxy(
  endpoint: string,
  faultOf: FaultOf,
): Promise<{ readonly endpoint: string; readonly requests: readonly S3Request[] }> {
  const requests: S3Request[] = [];
  const server = s3FaultServer(endpoint, (seen) => {
    requests.push(seen);
    return faultOf(seen);
  });
  return { endpoint: await listenOnLoopback(server), requests };
}
