import { createClient } from '@telecine/client';

/** The client of the API, with the session of the browser. */
export const client = createClient(window.location.origin, { session: true });
