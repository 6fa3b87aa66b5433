import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { ProblemView } from '../../src/wire/problem.ts';

/** What was asked and what came back, whatever carried it. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** By lower-case name. */
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

/** Part of a page, not of the contract. */
const ASSETS: ReadonlySet<string> = new Set(['/docs/scalar.js']);

/** The one parameter that may hold slashes: OpenAPI has no way to say so. */
const FILE = '/api/files/{path}';

const token = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');
const mediaType = (header: string): string => (header.split(';')[0] ?? '').trim().toLowerCase();

/** Documented paths without parameters come before those with them. */
function templateOf(paths: readonly string[], path: string): string | undefined {
  const fits = (template: string): boolean => {
    if (template === FILE) return path.startsWith('/api/files/');
    const [wanted, given] = [template.split('/'), path.split('/')];
    return wanted.length === given.length && wanted.every((part, i) => part === given[i] || /^\{\w+\}$/.test(part));
  };
  return paths.includes(path) ? path : paths.find(fits);
}

/**
 * A function that throws, readably, where an exchange is not as `/openapi.json` says: the status, the content type,
 * the required header fields or the body. What the document does not know must be a 404 or 405 problem document.
 */
export function contractChecker(openapi: unknown): (exchange: Exchange) => void {
  const { paths } = openapi as OpenApi;
  const faultOf = schemasOf(openapi);

  return (exchange) => {
    const path = exchange.url.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '') || '/';
    const method = exchange.method.toUpperCase();
    const fault = (what: string): Error =>
      new Error(
        `${method} ${path} → ${exchange.status} is not as /openapi.json says: ${what}\n${exchange.body.slice(0, 2000)}`,
      );
    if (ASSETS.has(path)) return;

    const template = templateOf(Object.keys(paths), path);
    const verb = (method === 'HEAD' ? 'get' : method).toLowerCase();
    const operation = template === undefined ? undefined : paths[template]?.[verb];
    if (template === undefined || operation === undefined) {
      const expected = template === undefined ? [404] : [405];
      // An escape that cannot be read, or a percent sign alone, is told apart before the path is looked up.
      if (![...expected, 400, 503].includes(exchange.status))
        throw fault(`it is not documented, so ${expected} is due`);
      checkBody(PROBLEM, 'application/problem+json');
      return;
    }

    const response = operation.responses[exchange.status];
    if (response === undefined) throw fault(`documented are ${Object.keys(operation.responses).join(', ')}`);
    for (const [name, { required }] of Object.entries(response.headers ?? {}))
      if (required === true && exchange.headers[name.toLowerCase()] === undefined) throw fault(`${name} is missing`);
    if (response.content === undefined) {
      if (exchange.body !== '') throw fault('it should have no body');
      return;
    }
    const type = mediaType(exchange.headers['content-type'] ?? '');
    // Of any type and form.
    if (response.content['*/*'] !== undefined) return;
    const documented = Object.keys(response.content).find((one) => mediaType(one) === type);
    if (documented === undefined) throw fault(`its type is "${type}", documented ${Object.keys(response.content)}`);
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
  /** undefined: of a HEAD, which has none. */
  readonly body: string | undefined;
}

/** What is wrong with a body by the schema at a pointer into the document; undefined where it is right. */
function schemasOf(openapi: unknown): (pointer: string, wanted: string, replied: Replied) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
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
    if (is !== wanted) return `its type is "${is}", not ${wanted}`;
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

/** Throws where the reply to what was no readable request, and so belongs to no operation, is no problem document. */
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

/** `app.inject`, each response checked against the app's own document. */
export function checkedInject(app: FastifyInstance): (request: InjectOptions) => Promise<LightMyRequestResponse> {
  let contract: Promise<(exchange: Exchange) => void> | undefined;
  return async (request) => {
    contract ??= app.inject('/openapi.json').then((reply) => contractChecker(reply.json()));
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

/** By the document's text: most services answer the same one, and reading it costs as much as a fifth of a start. */
const contracts = new Map<string, (exchange: Exchange) => void>();

/** As `contractOf`, of the document at `<baseUrl>/openapi.json`. */
async function contractAt(baseUrl: string): Promise<(exchange: Exchange) => void> {
  const text = await (await fetch(new URL('/openapi.json', baseUrl))).text();
  const contract = contracts.get(text) ?? contractChecker(JSON.parse(text));
  contracts.set(text, contract);
  return contract;
}

/** `fetch` for one service, each response checked against its own document, which is asked for first. */
export function checkedFetch(baseUrl: string): (path: string, init?: RequestInit) => Promise<Response> {
  let contract: Promise<(exchange: Exchange) => void> | undefined;
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
