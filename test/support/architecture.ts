import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** Package → packages that it may import from, as its package.json says too. A file is named by its package and its path in `src`. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  ffmpeg: ['contract'],
  client: ['contract'],
  service: ['contract', 'ffmpeg'],
  cli: ['client', 'contract', 'ffmpeg', 'service'],
};

/**
 * The import rules inside a folder: sub-folder → sub-folders of the same folder, or parts of them, that it may import from. Files
 * directly in the folder are its entry points and shared types, so they may import every sub-folder, and every sub-folder may import
 * them. A sub-folder without a row may import no other.
 */
const MAY_INSIDE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  contract: { domain: [], wire: ['domain'] },
  service: {
    config: [],
    audit: [],
    auth: [],
    files: [],
    outgoing: [],
    workers: [],
    recipes: [],
    jobs: ['recipes', 'workers'],
    previews: ['files', 'jobs', 'workers'],
    watches: ['files', 'jobs', 'store/watches', 'store/ledger-row'],
    media: ['outgoing', 'jobs/ports', 'auth/ports', 'files/ports', 'previews/ports'],
    issuer: ['auth/ports'],
    webhooks: ['jobs/ports', 'outgoing'],
    store: [
      ...['jobs/ports', 'jobs/job-changes', 'auth/ports', 'audit/ports', 'files/ports', 'workers/ports'],
      ...['recipes/ports', 'webhooks/ports'],
    ],
    queue: ['jobs/ports', 'store/transaction'],
    telemetry: ['jobs/ports', 'jobs/run/run-job'],
    http: [
      ...['jobs', 'auth', 'audit', 'files', 'workers', 'webhooks', 'watches'],
      ...['recipes/operations', 'previews/preview-operations'],
    ],
    mcp: [
      ...['jobs', 'auth', 'files'],
      ...['recipes/operations', 'previews/preview-operations', 'watches/watch-operations'],
    ],
    // The wiring: it makes each part and hands it to the others.
    start: [
      ...['config', 'audit', 'auth', 'files', 'outgoing', 'workers', 'recipes', 'jobs', 'previews', 'media', 'issuer'],
      ...['webhooks', 'watches', 'store', 'queue', 'telemetry', 'http', 'mcp'],
    ],
  },
  ffmpeg: {
    allowlist: [],
    expression: [],
    process: [],
    catalogue: ['allowlist', 'process', 'sandbox'],
    values: ['allowlist', 'catalogue', 'expression'],
    filtergraph: ['allowlist', 'catalogue', 'expression', 'values'],
    command: ['allowlist', 'filtergraph', 'plan/request'],
    bsf: ['allowlist', 'catalogue', 'expression', 'filtergraph', 'values'],
    rules: [
      ...['allowlist', 'catalogue', 'filtergraph', 'log', 'probe', 'values'],
      // What a rule about a request looks at. The rest of `plan` runs the rules. Dry runs compare predicted outputs.
      ...['estimate/predict', 'plan/encoders', 'plan/request'],
    ],
    // What a conversion in chunks looks at. The rest of `plan` makes its argvs.
    chunks: ['allowlist', 'filtergraph', 'sampling/fill-argv', 'values', 'plan/argv', 'plan/encoders', 'plan/request'],
    plan: ['allowlist', 'bsf', 'catalogue', 'chunks', 'filtergraph', 'rules', 'sampling/plan', 'values'],
    // Its argvs are made as those of the whole conversion, and its runs of ffmpeg are those of a conversion.
    sampling: [
      ...['allowlist', 'catalogue', 'filtergraph', 'log', 'process', 'values'],
      ...['plan/argv', 'plan/encoders', 'plan/request'],
      ...['run/conversion-run', 'run/explain-failure', 'run/pass', 'run/pass-end', 'run/playlists'],
      ...[
        'run/policy-violations',
        'run/prepare-run',
        'run/progress',
        'run/run-pass',
        'run/run-state',
        'run/start-pass',
        'run/stop',
      ],
    ],
    capabilities: ['allowlist', 'catalogue', 'plan'],
    estimate: ['allowlist', 'expression', 'filtergraph', 'log', 'sampling/choosers', 'values'],
    // Which formats of inputs are rejected, and why.
    log: ['allowlist', 'process'],
    sandbox: ['process'],
    devices: ['plan', 'sandbox'],
    probe: ['allowlist', 'log', 'process', 'sandbox'],
    run: ['allowlist', 'filtergraph', 'log', 'probe', 'process', 'rules', 'sampling', 'sandbox', 'values'],
    analysis: ['chunks', 'log', 'plan', 'probe', 'process', 'rules', 'run', 'sandbox'],
    preview: ['allowlist', 'catalogue', 'log', 'plan', 'probe', 'process', 'run', 'sandbox'],
    library: ['catalogue', 'plan', 'process', 'run', 'sandbox'],
  },
  'ffmpeg/plan': {
    request: [],
    encoders: ['request'],
    checks: ['encoders', 'request'],
    outputs: ['request'],
    joining: ['request'],
    analysis: ['checks', 'encoders', 'request'],
    preview: ['checks', 'encoders', 'request'],
  },
  'ffmpeg/sampling': { choosers: [], plan: ['choosers'], run: ['choosers'] },
  'ffmpeg/rules': {
    facts: [],
    request: ['facts'],
    result: ['facts'],
  },
  'service/jobs': {
    ports: [],
    capabilities: [],
    events: ['ports'],
    ffmpeg: ['ports', 'run', 'submit'],
    run: ['ports'],
    submit: ['ports'],
  },
  'service/media': { scratch: [], local: ['scratch'], s3: ['scratch'], urls: ['scratch'] },
  'service/media/local': { paths: [], publish: ['paths'], files: ['paths', 'publish'] },
  'service/media/s3': { staging: [], publish: ['staging'], files: [] },
  'service/http': {
    auth: [],
    audit: ['auth'],
    connections: [],
    console: ['transfer'],
    errors: [],
    openapi: [],
    transfer: [],
    tus: [],
    limits: ['auth', 'connections', 'transfer'],
    server: ['auth', 'connections', 'errors', 'transfer'],
    routes: ['audit', 'auth', 'connections', 'errors', 'limits', 'openapi', 'server', 'transfer', 'tus'],
  },
  'service/mcp': {
    capabilities: [],
    prompts: [],
    results: [],
    tools: ['capabilities', 'results'],
    resources: ['capabilities', 'prompts', 'results'],
    protocol: ['prompts', 'resources', 'results', 'tools'],
  },
  cli: { output: [], session: ['output'], commands: ['output', 'session'] },
};

/** One import, type-only ones included. Files are named as in `PACKAGES`. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  /** Whether the statement imports nothing but types. */
  readonly isType: boolean;
}

/**
 * Whether an import takes the type of what clients send or get from its schema. The schema is the only place that states it, and the
 * import is erased, so that the domain neither loads a validator nor depends on the order in which files are loaded.
 */
const isShape = ({ from, to, isType }: Edge): boolean =>
  isType && from.startsWith('contract/domain/') && to.startsWith('contract/wire/');

const SCOPE = '@telecine/';

/** What the rules need to know about one source file. */
export interface Scan {
  readonly file: string;
  readonly edges: readonly Edge[];
  /** Whether it reads the environment. */
  readonly env: boolean;
  /** The lines that search a message or a fix. */
  readonly searches: readonly number[];
}

/** @param file Named as in `PACKAGES`. Throws where the code cannot be parsed. */
export function scan(file: string, code: string): Scan {
  const { program, module: m, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: { value: string; start: number; isType?: boolean }[] = [
    ...m.staticImports.map((i) => ({
      value: i.moduleRequest.value,
      start: i.start,
      isType: i.entries.length > 0 && i.entries.every((entry) => entry.isType),
    })),
    ...m.staticExports.flatMap((e) =>
      e.entries.flatMap((x) => (x.moduleRequest ? [{ value: x.moduleRequest.value, start: x.start }] : [])),
    ),
    ...m.dynamicImports.map((d) => ({
      value: code.slice(d.moduleRequest.start + 1, d.moduleRequest.end - 1),
      start: d.start,
    })),
  ];
  return {
    file,
    env: readsEnvironment(program),
    searches: searchedTexts(program).map((start) => code.slice(0, start).split('\n').length),
    edges: found
      .filter((i) => i.value.startsWith('.') || i.value.startsWith(SCOPE))
      .map((i) => ({
        from: file,
        to: i.value.startsWith('.') ? join(dirname(file), i.value) : i.value.slice(SCOPE.length),
        line: code.slice(0, i.start).split('\n').length,
        isType: i.isType === true,
      })),
  };
}

type Program = ReturnType<typeof parseSync>['program'];

/** Detects every way to read it: `process.env`, `process['env']`, `const { env } = process`, `import { env } from 'node:process'`. */
function readsEnvironment(program: Program): boolean {
  let found = false;
  const isEnv = (key: { readonly type: string }): boolean =>
    ('name' in key && key.name === 'env') || ('value' in key && key.value === 'env');
  const isProcess = (node: { readonly type: string } | null): boolean =>
    node?.type === 'Identifier' && 'name' in node && node.name === 'process';
  new Visitor({
    MemberExpression(node) {
      if (isProcess(node.object) && isEnv(node.property)) found = true;
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern' || !isProcess(init)) return;
      if (id.properties.some((one) => one.type === 'RestElement' || isEnv(one.key))) found = true;
    },
    ImportDeclaration({ source, specifiers }) {
      if (!/^(?:node:)?process$/.test(source.value)) return;
      if (specifiers.some((one) => one.type === 'ImportSpecifier' && isEnv(one.imported))) found = true;
    },
  }).visit(program);
  return found;
}

/** Methods of texts and of regular expressions that look for words, or change them. */
const SEARCHES: ReadonlySet<string> = new Set(
  'test exec match matchAll replace replaceAll search startsWith endsWith includes split indexOf'.split(' '),
);

/** What writes a fix as a sentence. */
const SENTENCES: ReadonlySet<string> = new Set(['fixText', 'hintText', 'httpHint', 'modelHint', 'editsText']);

/** Where code looks for words in a `message` or a `fix`. Texts that are put together, such as `${message} …`, are no reading. */
function searchedTexts(program: Program): readonly number[] {
  const found: number[] = [];
  new Visitor({
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (SEARCHES.has(callee.property.name) && [callee.object, ...node.arguments].some(namesText))
        found.push(node.start);
    },
  }).visit(program);
  return found;
}

/** Members of a fix that are texts. Its other members are data. */
const TEXTS_OF_FIX: ReadonlySet<string> = new Set(['why', 'or', 'note']);

/** Whether an expression is a message or a fix, or made of one. What a function makes of one is data, unless it writes sentences. */
function namesText(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(namesText);
  if (typeof node !== 'object' || node === null || !('type' in node)) return false;
  const one = node as TypedNode;
  switch (one.type) {
    case 'Identifier':
      return one.name === 'message' || one.name === 'fix';
    case 'ArrowFunctionExpression':
    case 'ObjectExpression':
    case 'TemplateLiteral':
      return false;
    case 'MemberExpression':
      if (one.computed !== true && namesText(one.property)) return true;
      return (one.computed === true || TEXTS_OF_FIX.has(one.property?.name ?? '')) && namesText(one.object);
    case 'CallExpression': {
      const { callee } = one;
      const called = callee?.name ?? '';
      if (callee?.type !== 'MemberExpression')
        return SENTENCES.has(called) || (called === 'String' && namesText(one.arguments));
      return [callee.object, one.arguments].some(namesText);
    }
    default:
      return Object.values(one).some(namesText);
  }
}

/** A node of the syntax tree with the members that `namesText` reads. */
interface TypedNode {
  readonly type: string;
  readonly name?: string;
  readonly computed?: boolean;
  readonly object?: unknown;
  readonly property?: TypedNode;
  readonly callee?: TypedNode;
  readonly arguments?: unknown;
}

const packageOf = (file: string): string => file.split('/')[0] ?? file;

/** What packages share with the start of the program, which has to be plain JavaScript, and the manifest with the version. */
const SHARED: readonly string[] = ['../../bin/user-cache.js', '../../package.json'];

/** Imports between packages that `PACKAGES` does not allow, or that are no imports by the package's name, as `from:line → to`. */
export const badEdges = (scans: readonly Scan[]): readonly string[] =>
  scans
    .flatMap(({ edges }) => edges)
    .filter(({ from, to }) => {
      const [importer, imported] = [packageOf(from), packageOf(to)];
      return importer !== imported && !SHARED.includes(to) && !(PACKAGES[importer] ?? []).includes(imported);
    })
    .map(({ from, line, to }) => `${from}:${line} → ${to}`);

/** The packages that each package may import from, for a comparison with its manifest. */
export const packageRules = (): Readonly<Record<string, readonly string[]>> => PACKAGES;

/** Imports between sub-folders that `MAY_INSIDE` does not allow, as `from:line → to`. */
export const badInnerEdges = (scans: readonly Scan[]): readonly string[] =>
  Object.entries(MAY_INSIDE).flatMap(([parent, may]) =>
    scans
      .flatMap(({ edges }) => edges)
      .filter((edge) => {
        const { from, to } = edge;
        const [importer, imported] = [subfolder(from, parent), subfolder(to, parent)];
        if (importer === undefined || imported === undefined || importer === imported || isShape(edge)) return false;
        const part = to.slice(parent.length + 1);
        return !(may[importer] ?? []).some((one) => part === `${one}.ts` || part.startsWith(`${one}/`));
      })
      .map(({ from, line, to }) => `${from}:${line} → ${to}`),
  );

/** undefined: not in a sub-folder of `parent`. */
function subfolder(file: string, parent: string): string | undefined {
  if (!file.startsWith(`${parent}/`)) return undefined;
  const [name, ...rest] = file.slice(parent.length + 1).split('/');
  return rest.length === 0 ? undefined : name;
}

/** One import for each row and each sub-folder that it may not import from. */
export const forbiddenInnerImports = (): readonly { readonly from: string; readonly to: string }[] =>
  Object.entries(MAY_INSIDE).flatMap(([parent, may]) => {
    const folders = Object.keys(may);
    return folders.flatMap((importer) =>
      folders
        .filter((imported) => imported !== importer && may[importer]?.includes(imported) !== true)
        .map((imported) => ({ from: `${parent}/${importer}/planted.ts`, to: `../${imported}/other.ts` })),
    );
  });

/**
 * Pairs of sub-folders that can reach each other by the rules of `MAY_INSIDE`. With such a pair, the rules define no
 * order.
 */
export const innerRuleCycles = (): readonly string[] =>
  Object.entries(MAY_INSIDE).flatMap(([parent, may]) => {
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      (may[from] ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
    return Object.keys(may)
      .filter((name) => reaches(name, name))
      .map((name) => `${parent}/${name}`);
  });

/** Files outside of `config` that read the environment. */
export const environmentReaders = (scans: readonly Scan[]): readonly string[] =>
  scans.filter(({ file, env }) => env && !file.startsWith('service/config/')).map(({ file }) => file);

/** Files that may search a message or a fix, each with the reason. */
const MAY_SEARCH: ReadonlyMap<string, string> = new Map([
  ['service/store/postgres/outages.ts', "messages of PostgreSQL's driver, whose errors about connections have no code"],
  ['service/outgoing/outgoing-error.ts', 'messages of undici, whose errors about statuses share one code'],
  ['ffmpeg/log/logical-input-names.ts', 'logical names, also in what ffmpeg wrote'],
  [
    'service/mcp/results/tool-error.ts',
    'a list of allowed values is left out if the message has all of them, in whatever words',
  ],
  ['cli/commands/convert/caller-names.ts', 'paths in the replies of a service, which the command line names otherwise'],
  ['cli/commands/convert/many/task-results.ts', 'the name of the file is taken out of its message, in whatever words'],
]);

/** Where code of other files looks for words in a message or a fix, as `file:line`. */
export const textReaders = (scans: readonly Scan[]): readonly string[] =>
  scans.flatMap(({ file, searches }) => (MAY_SEARCH.has(file) ? [] : searches.map((line) => `${file}:${line}`)));

/** Files that may search texts, and do not. */
export const needlessReaders = (scans: readonly Scan[]): readonly string[] =>
  [...MAY_SEARCH.keys()].filter((name) => !scans.some(({ file, searches }) => file === name && searches.length > 0));

/**
 * Files, and folders with a slash, that may import the edits of a fix, each with the reason. Checks state what is allowed, and compose no
 * request.
 */
const MAY_EDIT: ReadonlyMap<string, string> = new Map([
  ['contract/domain/suggest.ts', 'makes the fixes for wrong requests'],
  ['contract/domain/hint.ts', 'writes fixes as text'],
  ['contract/domain/client-words.ts', 'leads the fix for an option of a recipe into the request'],
  ['contract/wire/explain.ts', 'the same value in the right JSON type, and arguments beside their recipe'],
  ['contract/wire/fix-patch.ts', 'makes patches'],
  ['contract/wire/failure-patch.ts', 'makes patches'],
  ['ffmpeg/log/', 'failures of ffmpeg'],
  ['ffmpeg/rules/', 'warnings'],
  ['ffmpeg/run/', 'failures and warnings of a run'],
  ['service/files/near-inputs.ts', 'the nearest name of a missing file'],
  ['service/jobs/ffmpeg/trials.ts', 'failures of a trial'],
  ['service/jobs/submit/check-batch.ts', 'warnings about the order of jobs'],
  ['service/jobs/submit/prepare-request.ts', 'a warning'],
  ['service/jobs/submit/request-warnings.ts', 'warnings'],
  ['service/mcp/results/tool-error.ts', 'reads whether a fix leaves a choice'],
  ['service/mcp/tools/convert-media.ts', 'a warning about the order of jobs'],
  ['service/recipes/option-overrides.ts', 'a warning'],
]);

/** Files, and folders with a slash, that may read the table of aliases. */
const MAY_READ_ALIASES: ReadonlyMap<string, string> = new Map([
  ['contract/domain/suggest.ts', 'makes the fixes for wrong requests'],
  ['contract/wire/explain.ts', 'knows a field with a near name from an option'],
  ['ffmpeg/plan/request/unknown-options.ts', 'knows a word for an option of the program from an unused option'],
]);

/** Files that import the edits of a fix or the table of aliases and may not, and rows of the tables that no file needs. */
export function suggestionErrors(scans: readonly Scan[]): readonly string[] {
  const tables = [
    ['contract/domain/edit.ts', MAY_EDIT],
    ['contract/domain/aliases.ts', MAY_READ_ALIASES],
  ] as const;
  return tables.flatMap(([imported, may]) => {
    const readers = scans.filter(({ edges }) => edges.some(({ to }) => to === imported)).map(({ file }) => file);
    const covers = (row: string, file: string): boolean => (row.endsWith('/') ? file.startsWith(row) : file === row);
    const rows = [...may.keys()];
    return [
      ...readers.filter((file) => !rows.some((row) => covers(row, file))),
      ...rows.filter((row) => !readers.some((file) => covers(row, file))).map((row) => `no longer: ${row}`),
    ].map((one) => `${imported}: ${one}`);
  });
}

/** Import cycles between files, each as `a → b → a`. */
export function cycles(scans: readonly Scan[]): readonly string[] {
  const next = new Map(
    scans.map(({ file, edges }) => [file, edges.flatMap((edge) => (isShape(edge) ? [] : [edge.to]))]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return found;
}
