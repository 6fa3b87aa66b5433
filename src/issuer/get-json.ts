/** Far above what issuers say; what is longer is not read on. */
const MOST_BYTES = 256 * 1024;

/** An answer that is no document. */
export interface NoDocument {
  readonly status: number;
}

/**
 * GETs a JSON document. A status other than 200 is told as such, redirects among them: they are not followed, since
 * they would lead wherever the answer says. Throws where nobody answers, and for what is too long or no JSON.
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
    // Leaving the loop ends the connection.
    if (bytes > MOST_BYTES) throw new Error(`${url.href} answers with more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    throw new Error(`${url.href} answers with what is no JSON`, { cause });
  }
}
