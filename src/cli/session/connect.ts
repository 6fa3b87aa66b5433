import { createClient, type TelecineClient } from '../../client/client.ts';
import { called } from './credentials.ts';

/** The service that the environment, or `url`, tells of. Throws `CommandFailed` where nobody can be told to call. */
export function connect(url: string | undefined): TelecineClient {
  const { url: address, credentials } = called(url);
  return createClient(address, credentials);
}
