import { sendRequest } from './api-client.ts';
import { waitUntil } from './wait.ts';

/** Waits until `/ready` answers 200: an API machine has then read the catalogue of a worker. */
export const becomesReady = (url: string) =>
  waitUntil('the service to be ready', async () => (await sendRequest(url, '/ready')).status === 200 || undefined);
