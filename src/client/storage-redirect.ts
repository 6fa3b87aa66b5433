/**
 * Follows the redirect of a download to an object store; returns any other response unchanged. The request there has no
 * header field of the first one, because the token is for the service alone. The result has the ETag of the service,
 * which differs from that of the object store.
 */
export async function followStorageRedirect(response: Response, signal: AbortSignal): Promise<Response> {
  const location = response.headers.get('location');
  const etag = response.headers.get('etag');
  if (response.status !== 302 || location === null || etag === null || !URL.canParse(location)) return response;
  await response.body?.cancel();
  const stored = await fetch(location, {
    headers: { 'accept-encoding': 'identity' },
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    signal,
  });
  const headers = new Headers(stored.headers);
  headers.set('etag', etag);
  return new Response(stored.body, { status: stored.status, headers });
}
