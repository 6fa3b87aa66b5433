import { Problem } from '../../domain/problem.ts';
import { expiryOf, readLink } from '../../domain/signed-link.ts';
import type { UPLOAD_LINK_OPERATIONS } from '../../wire/operations/upload-links.ts';
import { auditedUploadLink, readTerms, signUploadLink } from '../../wire/upload-link.ts';
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
      const upload = await files.newUploadLink(caller, path, terms);
      const view = await signUploadLink((subject) => links.sign(caller, subject, lifetime), publicUrl, upload);
      request.auditFacts = auditedUploadLink(upload, view);
      reply.code(201);
      return view;
    },

    uploadByLink: async (request, reply) => {
      const { terms, link, '*': path } = request.params;
      const upload = readTerms(terms, path);
      const { linkId } = upload;
      request.auditFacts = { details: { linkId } };
      if (running.has(linkId)) throw isRunning();
      running.add(linkId);
      try {
        const { file, created } = await files.uploadByLink(callerOf(request), upload, {
          precondition: readPrecondition(request.headers),
          ...fileBody(request, reply, pacedUploads),
          expiresAt: expiryOf(readLink(link)),
        });
        request.auditFacts = { target: file.path, details: { linkId, replaced: !created } };
        return sendStored(reply, file, created);
      } finally {
        running.delete(linkId);
      }
    },
  };
};

const isRunning = (): Problem =>
  new Problem('TOO_MANY_UPLOADS', 'Another upload by this link is running, and each link stores one file.', {
    retryAfterSeconds: 1,
  });
