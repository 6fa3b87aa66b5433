import type { ConversionRequest } from '@telecine/client';
import { tokenCommand } from '../app/token-command.ts';

/** The forms in which a request can be exported. */
export const EXPORTS = { json: 'JSON', curl: 'curl', typescript: 'TypeScript' } as const;
export type ExportForm = keyof typeof EXPORTS;

/**
 * A request as a text for programs, or several as a batch. `url`: the URL of the service. `clientId`: the client that sends the request.
 */
export function exportRequest(
  form: ExportForm,
  exported: ConversionRequest | readonly ConversionRequest[],
  { url, clientId }: { readonly url: string; readonly clientId: string },
): string {
  const isBatch = Array.isArray(exported);
  const json = JSON.stringify(isBatch ? { requests: exported } : exported, null, 2);
  switch (form) {
    case 'json':
      return json;
    case 'curl':
      return [
        // One command, so that a shell reads the whole text before curl asks for the secret.
        `TOKEN=$(${tokenCommand(url, clientId)}) ||`,
        // The reply says why there is no token.
        `  { echo "$TOKEN" >&2; false; } &&`,
        `TOKEN=$(echo "$TOKEN" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/') &&`,
        `curl -sS --fail-with-body ${url}${isBatch ? '/api/conversions' : '/api/conversion'} \\`,
        '  -H "authorization: Bearer $TOKEN" \\',
        "  -H 'content-type: application/json' \\",
        `  -d '${json.replaceAll("'", "'\\''")}'`,
      ].join('\n');
    case 'typescript':
      return [
        "import { createClient } from '@telecine/client';",
        '',
        `const client = createClient(${JSON.stringify(url)}, {`,
        `  clientId: ${JSON.stringify(clientId)},`,
        "  clientSecret: process.env.TELECINE_CLIENT_SECRET ?? '',",
        '});',
        ...(isBatch
          ? [
              `const { batchId } = await client.submitBatch(${JSON.stringify(exported, null, 2)});`,
              'const batch = await client.waitBatch(batchId);',
              'for (const job of batch.jobs) console.log(job.status, job.outputs ?? job.error);',
            ]
          : [
              `const { jobId } = await client.submit(${json});`,
              'const job = await client.wait(jobId);',
              'console.log(job.status, job.outputs ?? job.error);',
            ]),
      ].join('\n');
  }
}
