/** Loads an image that the service renders by a request whose header fields can be read, which an image element does not tell. */
export async function fetchImage(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly headers: Headers; readonly content: Blob }> {
  const reply = await fetch(url, { signal });
  const content = await reply.blob();
  if (!reply.ok) throw new Error(`The service replied ${reply.status}.`);
  return { headers: reply.headers, content };
}
