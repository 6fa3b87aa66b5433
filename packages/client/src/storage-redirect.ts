import type { Fetch } from './options.ts';

/**
 * Follows the redirect of a download to an object store, without the header fields of the request: the token is only for the service.
 * Sets the ETag of the service, which differs from the ETag of the object store. Browsers hide the target of a redirect, and leave out
 * the token for another host (Fetch standard, HTTP-redirect fetch). Returns any other response unchanged.
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
