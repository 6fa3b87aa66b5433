import { z } from 'zod';
import { allows, type Caller } from '../../domain/client.ts';
import { sendValue } from '../../domain/edit.ts';
import { fileUrl, foreignPath, hostPath } from '../../domain/foreign-path.ts';
import { baseName, type MediaPath, parseMediaPath } from '../../domain/media-path.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { auditedUploadLink, signUploadLink, uploadLinkBody } from '../../wire/upload-link.ts';
import type { McpDeps } from '../deps.ts';
import { defineTool } from '../tool.ts';

/**
 * The error for the path that the file has on the machine of the user, where it should say where it is stored. A folder of the media root
 * with the name of one of that machine is meant.
 */
async function rejectPathOfMachine(path: string, { files }: Pick<McpDeps, 'files'>, caller: Caller): Promise<void> {
  const error = fileUrl(path, caller.root.pathPrefix, 'write') ?? foreignPath(path, 'write');
  if (error !== undefined) throw invalidRequest([{ field: '/path', ...error }]);
  const stored = parseMediaPath(path, caller.root.pathPrefix);
  const host = typeof stored === 'string' ? hostPath(path, stored) : undefined;
  if (host === undefined || !allows(caller, 'files:read')) return;
  const { entries } = await files.list(caller, { prefix: `${host.folder}/`, limit: 1 });
  if (entries.length > 0) return;
  throw invalidRequest([
    {
      field: '/path',
      code: 'FOREIGN_PATH',
      message: `${JSON.stringify(path)} looks like a path of another machine, from which the file is uploaded. "path" is where it is stored in your media root.`,
      fix: sendValue(baseName(host.guess as MediaPath)),
    },
  ]);
}

export const createUploadLinkTool = defineTool({
  name: 'create_upload_link',
  title: 'Create an upload link',
  description:
    'Makes a URL by which the user, or your shell, uploads one file to your media root without a token: ' +
    'curl -T FILE \'URL\'. It works once and expires. Then use "path" as an input.',
  audit: 'link.create',
  // With `replace`, whoever has the link can replace a file.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: uploadLinkBody.omit({ seconds: true }),
  argumentTexts: {
    path: 'Where the file is stored.',
    maxBytes: 'Default: the limit of the service.',
    replace: 'Whether it may replace a file.',
  },
  output: z.object({ url: z.string(), path: z.string(), expiresAt: z.string() }),
  check: async ({ path }, { deps, call }) => {
    await rejectPathOfMachine(path, deps, call.caller);
    return { warnings: [] };
  },
  run: async ({ path, ...terms }, { deps, call }) => {
    await rejectPathOfMachine(path, deps, call.caller);
    const upload = await deps.files.newUploadLink(call.caller, path, terms);
    const sign = (subject: string) => deps.links.sign(call.caller, subject, deps.linkSeconds);
    const structured = await signUploadLink(sign, call.origin, upload);
    await call.audit('link.create', auditedUploadLink(upload, structured));
    return { structured };
  },
});
