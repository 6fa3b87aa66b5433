import type { Fetch } from './options.ts';

/**
 * Follows the redirect of a download to an object store. Sends no header fields of the request, because the token is only for the service.
 * Sets the ETag of the service, because the object store has another ETag. Browsers hide the target of a redirect, and drop the token for
 * another host (Fetch standard, HTTP-redirect fetch). Returns any other response unchanged.
 */
export async function followStorageRedirect(
  fetchFrom: Fetch,
  response: Response,
  url: URL,
  request: RequestInit,
): Promise<Response> {
  if (response.type === 'opaqueredirect') return fetchFrom(url, { ...request, redirect: 'follow' });
  const location = response.headers.get('location');
  const etag = response.headers.get('etag');
  if (response.status !== 302 || location === null || etag === null || !URL.canParse(location)) return response;
  await response.body?.cancel();
  const stored = await fetchFrom(location, {
    headers: { 'accept-encoding': 'identity' },
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    signal: request.signal ?? null,
  });
  const headers = new Headers(stored.headers);
  headers.set('etag', etag);
  return new Response(stored.body, { status: stored.status, headers });
}
