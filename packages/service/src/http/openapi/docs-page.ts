import { createHash } from 'node:crypto';
import fastify, { type FastifyServerOptions } from 'fastify';

export interface DocsPage {
  readonly html: string;
  readonly script: Uint8Array;
  /**
   * The Content-Security-Policy of the page. It allows the script of the page, each inline script by its hash, and
   * inline styles.
   */
  readonly policy: string;
}

/** Scalar's routes have no schemas. So they need no compilers, which the bundle of the service does not contain. */
const WITHOUT_SCHEMAS = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/**
 * Creates the page of the API reference, on which Scalar shows the OpenAPI document. Scalar is a Fastify plugin with a
 * script of 4 MB, so it is loaded into an app of its own. The page loads no fonts, sends no telemetry and uses no
 * proxy.
 */
export async function loadDocsPage(): Promise<DocsPage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify({ schemaController: WITHOUT_SCHEMAS });
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      // The URL is relative to /docs, so that it also works behind a reverse proxy that adds a path prefix.
      url: 'openapi.json',
      cdn: 'docs/scalar.js',
      pageTitle: 'Telecine API',
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      // Hide this button, which would send the address of this service to another host.
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  // Add an empty icon. Otherwise, browsers request /favicon.ico and report its 404 as an error.
  const html = (await app.inject('/docs/')).body.replace('</head>', '<link rel="icon" href="data:,"></head>');
  const { rawPayload: script } = await app.inject('/docs/js/scalar.js');
  await app.close();
  return { html, script, policy: policyFor(html) };
}

function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
