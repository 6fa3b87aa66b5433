/** The size of the largest accepted document. Real documents of issuers are much smaller. */
const MAX_BYTES = 256 * 1024;

/** A reply whose status is not 200. */
export interface NoDocument {
  readonly status: number;
}

/**
 * GETs a JSON document. Returns any status other than 200, including redirects, which are not followed because they
 * could lead to any host. Throws if there is no reply, or if it is too long or not JSON.
 */
export async function getJson(url: URL, signal: AbortSignal): Promise<{ readonly value: unknown } | NoDocument> {
  const reply = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
  if (reply.status !== 200 || reply.body === null) {
    await reply.body?.cancel();
    return { status: reply.status };
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body) {
    bytes += part.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_BYTES) throw new Error(`${url.href} is longer than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    throw new Error(`${url.href} is not JSON`, { cause });
  }
}
