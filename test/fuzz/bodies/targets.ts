import type { FastifyInstance } from 'fastify';
import { REQUEST_LIMITS } from '../../../packages/contract/src/domain/conversion.ts';
import { ENDPOINTS, type OperationId } from '../../../packages/contract/src/wire/endpoints.ts';
import { EACH_OPERATION, needsIssuer } from '../../../packages/contract/src/wire/operations/operations.ts';
import { TOOL_SCOPES } from '../../../packages/service/src/mcp/tool-names.ts';
import { findMcpTool } from '../../../packages/service/src/mcp/tools/all-tools.ts';
import { FAMILIES } from '../../common-requests/families.ts';
import { type Gene, geneOf } from './gene.ts';
import { geneOfSchema } from './gene-of-schema.ts';

/** An operation or an MCP tool that takes a JSON document. */
export interface Target {
  readonly name: string;
  /** The most bytes of a document. */
  readonly bytes: number;
  /** The documents to begin with. */
  readonly seeds: readonly Gene[];
  /** Sends a document. Returns the status of the reply. */
  send(app: FastifyInstance, document: string): Promise<number>;
}

/** Those whose bodies have parsers of their own get so many times as many tries as the others. */
const DEEP: Readonly<Record<string, number>> = {
  submitConversion: 8,
  submitBatch: 3,
  putRecipe: 4,
  dryRunRecipe: 4,
  readCommand: 3,
  convert_media: 3,
  probeFile: 2,
};

const HEADERS = { authorization: 'Bearer only-admin', 'content-type': 'application/json', host: 'localhost' };
const UNKNOWN_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';

const pathOf = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'name' ? 'fuzzed' : name === 'clientId' ? 'alice' : UNKNOWN_ID,
  );

/** One of so many common requests is a seed. */
const USUAL = 12;

const usual = (): readonly Gene[] =>
  Object.values(FAMILIES)
    .flat()
    .filter((_, index) => index % USUAL === 0)
    .map(({ request }) => geneOf(request));

/** Each operation with a JSON body and each MCP tool, often those with parsers of their own. */
export function fuzzTargets(): readonly Target[] {
  const operations = Object.entries(EACH_OPERATION).flatMap(([id, { body, query }]): readonly Target[] => {
    if (body?.type !== 'application/json' || needsIssuer(id as OperationId)) return [];
    const { method, path } = ENDPOINTS[id as OperationId];
    const dryRun = query !== undefined && query !== 'ignored' && 'dryRun' in query.shape ? '?dryRun=true' : '';
    return [
      {
        name: id,
        bytes: body.maxBytes ?? REQUEST_LIMITS.bodyBytes,
        seeds: [geneOf(body.example), geneOfSchema(body.schema), ...(id === 'submitConversion' ? usual() : [])],
        send: async (app, document) =>
          (await app.inject({ method, url: pathOf(path) + dryRun, headers: HEADERS, payload: document })).statusCode,
      },
    ];
  });
  const tools = Object.keys(TOOL_SCOPES).flatMap((name): readonly Target[] => {
    const tool = findMcpTool(name);
    if (tool === undefined) return [];
    const headers = { ...HEADERS, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    return [
      {
        name,
        bytes: REQUEST_LIMITS.bodyBytes - 200,
        seeds: [geneOfSchema(tool.input)],
        send: async (app, document) => {
          const payload = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${document}}}`;
          return (await app.inject({ method: 'POST', url: '/mcp', headers, payload })).statusCode;
        },
      },
    ];
  });
  return [...operations, ...tools].flatMap((target) => Array.from({ length: DEEP[target.name] ?? 1 }, () => target));
}
