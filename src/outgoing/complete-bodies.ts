import type { Dispatcher } from 'undici';

/**
 * Ends a body as soon as all bytes of its Content-Length have arrived (RFC 9112, 6.3). What the connection does then says
 * nothing about this body. Without it, undici drops the unread rest of a complete body if the server closes the connection
 * without `Connection: close` while the reader is slower than the network.
 */
export const completeBodies: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, options.method === 'HEAD' ? handler : endAtLength(handler));

function endAtLength(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  let missing: number | undefined;
  let isComplete = false;
  return {
    onRequestStart: (controller, context: unknown) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (controller, status, headers, text) => {
      missing = status < 200 ? undefined : contentLength(headers['content-length']);
      handler.onResponseStart?.(controller, status, headers, text);
    },
    onResponseData: (controller, chunk) => {
      handler.onResponseData?.(controller, chunk);
      if (missing === undefined) return;
      missing -= chunk.length;
      if (missing > 0) return;
      isComplete = true;
      handler.onResponseEnd?.(controller, {});
      // Nobody reads on after the end, so that a paused connection would never become free.
      controller.resume();
    },
    onResponseEnd: (controller, trailers) => {
      if (!isComplete) handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError: (controller, error) => {
      if (!isComplete) handler.onResponseError?.(controller, error);
    },
  };
}

const contentLength = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
