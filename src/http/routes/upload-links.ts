import { Problem } from '../../domain/problem.ts';
import { expiryOf, readLink } from '../../domain/signed-link.ts';
import type { UPLOAD_LINK_OPERATIONS } from '../../wire/operations/upload-links.ts';
import { readTerms, uploadLinkView, uploadSubject, writeTerms } from '../../wire/upload-link.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { readPrecondition } from '../transfer/entity-tags.ts';
import { fileBody, sendStored } from '../transfer/file-body.ts';
import type { PacedUploads } from '../transfer/upload-body.ts';
import type { Handlers } from './handler.ts';
import { linkLifetime } from './link-lifetime.ts';

export const uploadLinkHandlers = (
  { files, links, linkSeconds, publicUrl = '' }: HttpDeps,
  pacedUploads: PacedUploads,
): Handlers<typeof UPLOAD_LINK_OPERATIONS> => {
  /** The links by which files arrive. Otherwise whoever has a link could take all concurrent uploads of its client. */
  const running = new Set<string>();
  return {
    createUploadLink: async (request, reply) => {
      const caller = callerOf(request);
      const { path, seconds, ...terms } = request.body;
      const lifetime = linkLifetime(seconds, linkSeconds);
      const upload = files.newUploadLink(caller, path, terms);
      const link = await links.sign(caller, uploadSubject(writeTerms(upload), upload.path), lifetime);
      request.auditFacts = { target: upload.path };
      reply.code(201);
      return uploadLinkView(publicUrl, upload, link);
    },

    uploadByLink: async (request, reply) => {
      const { terms, link, '*': path } = request.params;
      const upload = readTerms(terms, path);
      if (running.has(upload.linkId)) throw isRunning();
      running.add(upload.linkId);
      try {
        const { file, created } = await files.uploadByLink(callerOf(request), upload, {
          precondition: readPrecondition(request.headers),
          ...fileBody(request, reply, pacedUploads),
          expiresAt: expiryOf(readLink(link)),
        });
        request.auditFacts = { target: file.path, details: { replaced: !created } };
        return sendStored(reply, file, created);
      } finally {
        running.delete(upload.linkId);
      }
    },
  };
};

const isRunning = (): Problem =>
  new Problem('TOO_MANY_UPLOADS', 'Another upload by this link is running, and each link stores one file.', {
    retryAfterSeconds: 1,
  });
