import type { FastifyInstance } from 'fastify';
import { REQUEST_LIMITS } from '../domain/conversion.ts';
import { Problem } from '../domain/problem.ts';
import { parseJson } from '../wire/json.ts';

const encoded = (encoding: string | undefined): boolean => encoding !== undefined && encoding !== 'identity';

/** Takes JSON and nothing else. Some clients name the type of a body that they do not send: that is no body. */
export function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: REQUEST_LIMITS.bodyBytes } as const;
  app.addContentTypeParser('application/json', options, (request, body: Buffer, done) => {
    try {
      if (encoded(request.headers['content-encoding']))
        throw new Problem(
          'UNSUPPORTED_MEDIA_TYPE',
          'The body is compressed, which is not taken here. Send it without Content-Encoding.',
        );
      done(null, body.length === 0 ? undefined : parseJson(body));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
