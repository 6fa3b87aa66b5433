import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { inject } from 'vitest';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import { makeOnce } from './media.ts';

/** A request and its response, from any client. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

interface Media {
  readonly schema?: unknown;
}
interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, Media>>;
}
type Operation = { readonly responses: Readonly<Record<string, DocumentedResponse>> };
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Assets of the docs page, which are not part of the contract. */
const ASSETS: ReadonlySet<string> = new Set(['/docs/scalar.js']);

/** The only parameter that may contain slashes, which OpenAPI cannot express. It is always the last one. */
const PATH = '{path}';

const token = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');
const mediaType = (header: string): string => (header.split(';')[0] ?? '').trim().toLowerCase();

/** Exact paths take precedence over paths with parameters. */
function templateOf(paths: readonly string[], path: string): string | undefined {
  const fits = (template: string): boolean => {
    const [templateParts, parts] = [template.split('/'), path.split('/')];
    const isLong = templateParts.at(-1) === PATH && templateParts.length <= parts.length;
    return (
      (isLong || templateParts.length === parts.length) &&
      templateParts.every((part, i) => part === parts[i] || /^\{\w+\}$/.test(part))
    );
  };
  return paths.includes(path) ? path : paths.find(fits);
}

/**
 * Returns a function that throws if an exchange does not match `/openapi.json`: its status, content type, required headers
 * or body. Undocumented routes must reply with a 404 or 405 problem.
 */
export function contractChecker(openapi: unknown): (exchange: Exchange) => void {
  const { paths } = openapi as OpenApi;
  const faultOf = schemasOf(openapi);

  return (exchange) => {
    const path = exchange.url.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '') || '/';
    const method = exchange.method.toUpperCase();
    const fault = (what: string): Error =>
      new Error(
        `${method} ${path} → ${exchange.status} violates /openapi.json: ${what}\n${exchange.body.slice(0, 2000)}`,
      );
    if (ASSETS.has(path)) return;

    const template = templateOf(Object.keys(paths), path);
    const verbs: Readonly<Record<string, Operation>> = (template !== undefined && paths[template]) || {};
    // The same reply as to GET, unless there is no GET.
    const verb = (method === 'HEAD' && verbs['head'] === undefined ? 'get' : method).toLowerCase();
    const operation = verbs[verb];
    if (template === undefined || operation === undefined) {
      const expected = template === undefined ? [404] : [405];
      // Invalid percent escapes are rejected before the path is looked up.
      if (![...expected, 400, 503].includes(exchange.status)) throw fault(`it is not documented, expected ${expected}`);
      checkBody(PROBLEM, 'application/problem+json');
      return;
    }

    const response = operation.responses[exchange.status];
    if (response === undefined) throw fault(`documented statuses are ${Object.keys(operation.responses).join(', ')}`);
    for (const [name, { required }] of Object.entries(response.headers ?? {}))
      if (required === true && exchange.headers[name.toLowerCase()] === undefined) throw fault(`${name} is missing`);
    if (response.content === undefined) {
      if (exchange.body !== '') throw fault('it must have no body');
      return;
    }
    const type = mediaType(exchange.headers['content-type'] ?? '');
    // Any content type and any body.
    if (response.content['*/*'] !== undefined) return;
    const documented = Object.keys(response.content).find((one) => mediaType(one) === type);
    if (documented === undefined)
      throw fault(`its content type is "${type}", documented are ${Object.keys(response.content)}`);
    const place = `/paths/${token(template)}/${verb}/responses/${exchange.status}/content/${token(documented)}/schema`;
    checkBody(place, type);

    function checkBody(pointer: string, wanted: string): void {
      const what = faultOf(pointer, wanted, method === 'HEAD' ? { ...exchange, body: undefined } : exchange);
      if (what !== undefined) throw fault(what);
    }
  };
}

const PROBLEM = '/components/schemas/Problem';

interface Replied {
  readonly headers: Exchange['headers'];
  /** undefined: the reply to a HEAD request. */
  readonly body: string | undefined;
}

/** Returns how a body violates the schema at a pointer into the document. undefined: it is valid. */
function schemasOf(openapi: unknown): (pointer: string, wanted: string, replied: Replied) => string | undefined {
  // The document is checked by `npm run lint:openapi`. Code that is not optimised is made in half the time.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema(openapi as object, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const found = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, found);
    return found;
  };
  return (pointer, wanted, { headers, body }) => {
    const is = mediaType(headers['content-type'] ?? '');
    if (is !== wanted) return `its content type is "${is}", not ${wanted}`;
    if (body === undefined) return undefined;
    let value: unknown = body;
    try {
      if (/[/+]json$/.test(wanted)) value = JSON.parse(body);
    } catch {
      return 'its body is not JSON';
    }
    const validate = validatorAt(encodeURI(pointer).replaceAll('#', '%23'));
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { separator: '\n', dataVar: 'body' });
  };
}

/** For replies to unreadable requests, which belong to no operation. Throws if the reply is not a problem document. */
export function problemChecker(openapi: unknown): (reply: Omit<Exchange, 'method' | 'url'>) => ProblemView {
  const faultOf = schemasOf(openapi);
  return (reply) => {
    const what = faultOf(PROBLEM, 'application/problem+json', reply);
    if (what !== undefined) throw new Error(`${what}\n${reply.body}`);
    const problem = JSON.parse(reply.body) as ProblemView;
    if (problem.status !== reply.status) throw new Error(`The status is ${reply.status}\n${reply.body}`);
    return problem;
  };
}

/**
 * `app.inject` that checks each response against the document of the app.
 *
 * @param settings All that the operations and schemas of the document depend on. Apps with the same settings share one document,
 * because creating and compiling it takes longer than most tests of a route. A run creates it once.
 */
export function checkedInject(
  app: FastifyInstance,
  settings: string,
): (request: InjectOptions) => Promise<LightMyRequestResponse> {
  return async (request) => {
    const contract =
      contractsBySettings.get(settings) ??
      documentOnce(`app-${settings}`, async () => (await app.inject('/openapi.json')).body).then(cachedContract);
    contractsBySettings.set(settings, contract);
    const check = await contract;
    const reply = await app.inject(request);
    check({
      method: request.method ?? 'GET',
      url: String(request.url),
      status: reply.statusCode,
      headers: Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, String(value)])),
      body: reply.body,
    });
    return reply;
  };
}

type Contract = (exchange: Exchange) => void;

const contractsBySettings = new Map<string, Promise<Contract>>();

/**
 * The key is the text of the document. Most services have the same document, and compiling it takes a fifth of the time
 * of a service start.
 */
const contracts = new Map<string, Contract>();

function cachedContract(document: string): Contract {
  const contract = contracts.get(document) ?? contractChecker(JSON.parse(document));
  contracts.set(document, contract);
  return contract;
}

const documentAt = async (baseUrl: string): Promise<string> => (await fetch(new URL('/openapi.json', baseUrl))).text();

const contractOf = async (baseUrl: string): Promise<Contract> => cachedContract(await documentAt(baseUrl));

/** Makes a document once per run, where a run has a folder for such files. */
async function documentOnce(name: string, make: () => Promise<string>): Promise<string> {
  if (inject('clips') === undefined) return make();
  const folder = await makeOnce(`openapi-${name}`, async (made) => writeFile(join(made, 'openapi.json'), await make()));
  return readFile(join(folder, 'openapi.json'), 'utf8');
}

/** The base URLs of services of the built package whose settings do not change the document. */
const alike = new Set<string>();
let contractOfAlike: Promise<Contract> | undefined;

/**
 * Lets services share one document. Creating it takes each a fifth of the processor time of its start; it depends on
 * the version, and on the settings of TELECINE_PUBLIC_URL and of an issuer, which needs the former.
 */
export function shareContract(baseUrl: string, env: Readonly<Record<string, string>>): void {
  if (env['TELECINE_PUBLIC_URL'] === undefined) alike.add(baseUrl);
  else alike.delete(baseUrl);
}

/** Like `contractChecker`, for the document at `<baseUrl>/openapi.json`. */
export function contractAt(baseUrl: string): Promise<Contract> {
  if (!alike.has(baseUrl)) return contractOf(baseUrl);
  contractOfAlike ??= documentOnce('service', () => documentAt(baseUrl))
    .then(cachedContract)
    .catch((error: unknown) => {
      // The next service may answer.
      contractOfAlike = undefined;
      throw error;
    });
  return contractOfAlike;
}

/** Called after each test file: a later service may listen on the same port. */
export const forgetAlike = (): void => alike.clear();

/** `fetch` for one service that checks each response against the document of that service. */
export function checkedFetch(baseUrl: string): (path: string, init?: RequestInit) => Promise<Response> {
  let contract: Promise<Contract> | undefined;
  return async (path, init) => {
    contract ??= contractAt(baseUrl);
    const check = await contract;
    const reply = await fetch(new URL(path, baseUrl), init);
    check({
      method: init?.method ?? 'GET',
      url: path,
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: await reply.clone().text(),
    });
    return reply;
  };
}
