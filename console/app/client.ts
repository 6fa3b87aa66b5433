import { createClient } from '@telecine/client';

/** The API of the service that served this page, with the session of the browser. */
export const client = createClient(window.location.origin, { session: true });
