import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { capabilityPaths } from './capabilities.ts';
import { conversionPaths } from './conversion.ts';
import { filePaths } from './files.ts';
import { jobPaths } from './jobs.ts';
import { mcpPaths } from './mcp.ts';
import { probePaths } from './probe.ts';
import { systemPaths } from './system.ts';
import { tokenPaths } from './tokens.ts';
import { wellKnownPaths } from './well-known.ts';

/** Two groups may describe operations of the same path. */
function merge(...groups: readonly ZodOpenApiPathsObject[]): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {};
  for (const group of groups) for (const [path, item] of Object.entries(group)) all[path] = { ...all[path], ...item };
  return all;
}

const TAGS = [
  { name: 'Conversions', description: 'Submit what is to be converted.' },
  { name: 'Language models', description: 'The same contract for language models, and MCP.' },
  { name: 'Jobs', description: 'Follow, end, repeat and forget conversions.' },
  { name: 'Files', description: 'What lies in the media root.' },
  { name: 'Capabilities', description: 'What the installed ffmpeg can do here.' },
  { name: 'Tokens', description: 'Every other operation needs an access token.' },
  { name: 'System', description: 'For operators and programs.' },
];

/** The whole contract as an OpenAPI 3.1 document, from the schemas that check requests. */
export function openApiDocument(about: {
  readonly version: string;
  readonly publicUrl?: string;
  /** Tokens of an external issuer are taken. */
  readonly external?: boolean;
}) {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Telecine',
      version: about.version,
      summary: 'Self-hosted media conversion: JSON in, ffmpeg in the background, a real file out.',
      description:
        'Name an input, an output and ffmpeg options; the service answers at once with a job id, converts in the ' +
        'background and reports. Errors are problem documents (RFC 9457) that say what was wrong, what is allowed ' +
        'and what to send instead.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.publicUrl ?? '/' }],
    tags: TAGS,
    paths: merge(
      ...[conversionPaths, mcpPaths, jobPaths, filePaths, probePaths, capabilityPaths, tokenPaths],
      ...(about.external === true ? [wellKnownPaths] : []),
      systemPaths,
    ),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token.' },
        basic: { type: 'http', scheme: 'basic', description: 'Client id and secret.' },
      },
    },
  });
}
