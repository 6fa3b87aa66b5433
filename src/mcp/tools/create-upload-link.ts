import { z } from 'zod';
import { auditedUploadLink, signUploadLink, uploadLinkBody } from '../../wire/upload-link.ts';
import { defineTool } from '../tool.ts';

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
  run: async ({ path, ...terms }, { deps, call }) => {
    const upload = await deps.files.newUploadLink(call.caller, path, terms);
    const sign = (subject: string) => deps.links.sign(call.caller, subject, deps.linkSeconds);
    const structured = await signUploadLink(sign, call.origin, upload);
    await call.audit('link.create', auditedUploadLink(upload, structured));
    return { structured };
  },
});
