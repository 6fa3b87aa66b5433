import type { FastifyInstance } from 'fastify';
import { REQUEST_LIMITS } from '../../domain/conversion.ts';
import { Problem } from '../../domain/problem.ts';
import { parseJson } from '../../wire/json.ts';

/** Parses JSON bodies and rejects other content types. An empty body of type JSON counts as no body. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: REQUEST_LIMITS.bodyBytes } as const;
  app.addContentTypeParser('application/json', options, (request, body: Buffer, done) => {
    try {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity')
        throw new Problem(
          'UNSUPPORTED_MEDIA_TYPE',
          `Compressed bodies (Content-Encoding: ${encoding}) are not supported. Send the body uncompressed, without Content-Encoding.`,
        );
      done(null, body.length === 0 ? undefined : parseJson(body));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
