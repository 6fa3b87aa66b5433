import { OutgoingError } from './outgoing-error.ts';
import { requestError } from './request-error.ts';

/**
 * The bytes of a body. Throws BODY_TOO_LARGE after `maxBytes`, and CUT if the connection closes before the end. Ending the
 * loop early closes the connection.
 */
export async function* replyBody(
  body: AsyncIterable<Uint8Array>,
  host: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new OutgoingError('BODY_TOO_LARGE', `${host} sent more than the limit of ${maxBytes} bytes.`);
      yield chunk;
    }
  } catch (error) {
    throw requestError(host, error, signal);
  }
}
