import type { AuditAction } from '@telecine/contract/domain/audit.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import type { WatchedFile, WatchState } from '@telecine/contract/domain/watch.ts';
import {
  ACTIVITY_TEXTS,
  dryRunText,
  failureGroups,
  rejectedText,
  watchActivity,
} from '@telecine/contract/domain/watch-text.ts';
import { parseWatchId } from '@telecine/contract/wire/job-id.ts';
import { newWatchBody, watchedFileView, watchView } from '@telecine/contract/wire/watch.ts';
import { z } from 'zod';
import type { CountedWatch } from '../../watches/watch-operations.ts';
import { UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { modelHint, modelWarnings } from '../results/model-hint.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { type HasTool, toolsOf } from '../tool-names.ts';

/** How many examples of files a result has. */
const EXAMPLES = 5;

/** How many failed files are read and grouped. */
const FAILED = 200;

/** How many of the newest jobs of a watch are read for warnings. */
const RECENT = 20;

/** Actions that change the state of a watch. */
const STATE_CHANGES = { pause: 'PAUSED', resume: 'ACTIVE' } as const satisfies Readonly<Record<string, WatchState>>;

/** What an action is in the audit log. Absent: it only reads. */
const AUDITED: Readonly<Record<Action, AuditAction | undefined>> = {
  create: 'watch.create',
  change: 'watch.change',
  list: undefined,
  get: undefined,
  retry: 'watch.retry',
  pause: 'watch.change',
  resume: 'watch.change',
  delete: 'watch.delete',
};

const ACTIONS = ['create', 'list', 'get', 'change', 'retry', 'pause', 'resume', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

const { folder, name, patterns, exclude, request, source, existing } = newWatchBody.shape;

/** The settings of a watch. They have no defaults here: a change must not set what was not sent. */
const SETTINGS = {
  ...{ name, patterns, exclude },
  request: request.exactOptional(),
  source: source.removeDefault().exactOptional(),
};

const input = z.strictObject({
  action: z.enum(ACTIONS).default('create'),
  watchId: z.string().max(100).exactOptional(),
  paths: z.array(z.string().min(1).max(4096)).min(1).max(100).exactOptional(),
  dryRun: z.boolean().default(false),
  folder: folder.exactOptional(),
  existing: existing.removeDefault().exactOptional(),
  ...SETTINGS,
});

type Args = z.output<typeof input>;

export const watchFolderTool = defineTool({
  name: 'watch_folder',
  title: 'Watch a folder',
  description: (has) =>
    `Converts the files of a folder, and each that lands there later, once, until paused. Only if the user wants that; ${has('convert_media') ? 'for the files of today alone, convert_media with "each". ' : ''}First send "dryRun": true, and tell the user what it finds. "get" shows state, settings, and failures with their fixes; "change" sets what is sent, also "request" as a whole; "retry" converts failed files again.`,
  permissionOf: (args) => {
    const sent = isMembers(args) ? args['action'] : undefined;
    const action = ACTIONS.find((one) => one === sent) ?? 'create';
    const audit = AUDITED[action];
    if (audit === undefined) return { scopes: [] };
    const isDryRun = action === 'create' && isMembers(args) && args['dryRun'] === true;
    return { scopes: ['jobs:write', 'files:read'], ...(!isDryRun && { audit }) };
  },
  // Destructive: a watch can delete its sources. Not repeatable: a second call makes a second watch.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input,
  argumentTexts: {
    watchId: 'For all but "create" and "list".',
    paths: 'For "retry": only these files.',
    dryRun: '',
    folder: 'Such as "in/".',
    request:
      'A conversion without "input": {"preset": {"name": "web-h264"}, "output": "out/{folder}{name}.mp4"}. Also {date}, {width}, {height}.',
    name: '',
    patterns: 'Such as ["*.mov"]; default: all media.',
    exclude: 'Patterns of files to leave out.',
    source: 'What happens to a converted file: "keep", "delete" or {"moveTo": "done/"}.',
    existing: '"ignore": leave the files that are there now. Default: convert them too.',
  },
  run: async (args, context) => {
    const errors = wrongArguments(args);
    if (errors.length > 0) throw invalidRequest(errors);
    switch (args.action) {
      case 'create':
        return create(args, context);
      case 'list':
        return list(context);
      case 'get':
        return get(args, context);
      case 'retry':
        return retry(args, context);
      case 'change':
        return change(args, context);
      case 'delete':
        return remove(args, context);
      default:
        return changeState(args.action, args, context);
    }
  },
});

/** What only a new watch has. */
const NEW_ONLY = ['folder', 'existing'] as const;

/** What an action lacks, or what belongs to another one. Otherwise, a call that is meant to show a watch could make one. */
function wrongArguments({ action, ...args }: Args): readonly FieldError[] {
  const errors: FieldError[] = [];
  const missing = (field: string, what = ''): void =>
    void errors.push({ field: `/${field}`, code: 'MISSING', message: `"${action}" needs "${field}"${what}.` });
  // Who sends "dryRun" with another action expects that nothing is changed.
  if (args.dryRun && action !== 'create') errors.push(onlyFor('dryRun', '"create"', action));
  if (args.paths !== undefined && action !== 'retry') errors.push(onlyFor('paths', '"retry"', action));
  if (action === 'create') {
    if (args.folder === undefined) missing('folder');
    if (args.request === undefined) missing('request', ', what to do with each file');
    if (args.watchId !== undefined)
      errors.push({
        field: '/watchId',
        code: 'CONFLICT',
        message: 'A new watch gets its own id, and "watchId" names a watch that exists.',
      });
    return errors;
  }
  if (action !== 'list' && args.watchId === undefined) missing('watchId', '. The action "list" has the ids');
  const settings = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];
  const isChange = action === 'change';
  for (const one of isChange ? NEW_ONLY : [...NEW_ONLY, ...settings])
    if (args[one] !== undefined) errors.push(onlyFor(one, isChange ? '"create"' : '"create" and "change"', action));
  if (isChange && settings.every((one) => args[one] === undefined))
    errors.push({
      field: '',
      code: 'MISSING',
      message: `Nothing is to be changed. A change needs one of: ${settings.join(', ')}.`,
    });
  return errors;
}

const onlyFor = (field: string, actions: string, action: Action): FieldError => ({
  field: `/${field}`,
  code: 'CONFLICT',
  message: `"${field}" is only for ${actions}, and "action" is "${action}".`,
});

async function create(
  { action: _, watchId: __, paths: ___, dryRun, ...sent }: Args,
  { deps, call, signal }: ToolContext,
): Promise<ToolOutput> {
  const { caller } = call;
  // The defaults of members that the tool does not have.
  const body = newWatchBody.parse({ ...sent, request: { llmId: call.llmId, ...sent.request } });
  if (dryRun) {
    const run = await deps.watches.dryRun(caller, body, signal);
    const has = toolsOf(caller);
    const rejected = rejectedText(run);
    return {
      structured: {
        message: [dryRunText(run), ...(rejected === undefined ? [] : [rejected])].join(' '),
        examples: run.examples.slice(0, EXAMPLES).map(({ path, outputs, failure }) => ({
          path,
          ...(outputs && { outputs }),
          ...(failure && { error: shortFailure(failure, has) }),
        })),
        ...(run.warnings.length > 0 && { warnings: run.warnings }),
        next: 'Nothing is stored. If the user agrees, call again without "dryRun".',
        note: UNTRUSTED_NOTE,
      },
    };
  }
  const { watch, warnings } = await deps.watches.create(caller, body, signal);
  await call.audit('watch.create', { target: watch.watchId, details: { folder: watch.folder } });
  return {
    structured: {
      watchId: watch.watchId,
      state: 'watching',
      ...(warnings.length > 0 && { warnings }),
      next: `${warnings.length > 0 ? 'Read "warnings". ' : ''}${stateHint(watch.watchId)}`,
    },
  };
}

const stateHint = (watchId: string): string =>
  `For its state, call watch_folder with {"action": "get", "watchId": "${watchId}"}.`;

async function list({ deps, call }: ToolContext): Promise<ToolOutput> {
  const has = toolsOf(call.caller);
  const found = await deps.watches.list(call.caller, call.caller.clientId);
  return { structured: { watches: found.map((one) => shortWatch(one, has)), note: UNTRUSTED_NOTE } };
}

function shortWatch({ watch, counts }: CountedWatch, has: HasTool) {
  const view = watchView(watch, counts);
  const { stopped } = watch;
  return {
    watchId: view.watchId,
    ...(view.name !== undefined && { name: view.name }),
    folder: view.folder,
    state: ACTIVITY_TEXTS[watchActivity(view)],
    ...(view.unreachableSince !== undefined && { unreachableSince: view.unreachableSince }),
    ...(stopped && { stopped: shortFailure(stopped, has) }),
    counts: view.counts,
  };
}

/** The settings of a watch without those that are the default. A change replaces "request" as a whole, so a model has to see all of it. */
function shownSettings({ watch, counts }: CountedWatch) {
  const { request: shown, source: after, existing: old, subfolders, changed, ...view } = watchView(watch, counts);
  return {
    request: shown,
    ...(view.patterns && { patterns: view.patterns }),
    ...(after !== 'keep' && { source: after }),
    ...(old !== 'convert' && { existing: old }),
    ...(!subfolders && { subfolders }),
    ...(changed !== 'ignore' && { changed }),
    ...(view.exclude && { exclude: view.exclude }),
  };
}

async function get({ watchId = '' }: Args, { deps, call }: ToolContext): Promise<ToolOutput> {
  const { caller } = call;
  const has = toolsOf(caller);
  const id = parseWatchId(watchId);
  const found = await deps.watches.get(caller, id);
  const isFailed = found.counts.NEEDS_ATTENTION > 0;
  const { files } = isFailed
    ? await deps.watches.files(caller, id, { state: 'NEEDS_ATTENTION', limit: FAILED })
    : { files: [] };
  const { jobs } = await deps.jobs.list(caller, { watchId: id, limit: RECENT });
  const warnings = new Map(jobs.flatMap((job) => job.warnings ?? []).map((one) => [one.code, one]));
  const groups = failureGroups(files.map((file) => modelFile(file, has)));
  return {
    structured: {
      ...shortWatch(found, has),
      settings: shownSettings(found),
      ...(warnings.size > 0 && { warnings: modelWarnings([...warnings.values()], has) }),
      ...(groups.length > 0 && {
        failures: groups.map(({ code, files: failed, messages, fixes }) => ({
          code,
          files: failed.length,
          message: messages[0],
          ...(fixes.length > 0 && { fix: fixes.join(' ') }),
          paths: failed.slice(0, EXAMPLES).map(({ path }) => path),
        })),
        ...(found.counts.NEEDS_ATTENTION > files.length && {
          failuresOf: `The first ${files.length} of the ${found.counts.NEEDS_ATTENTION} files that need attention.`,
        }),
        next: `Once the reason is gone, call watch_folder with {"action": "retry", "watchId": "${id}"}.`,
      }),
      note: UNTRUSTED_NOTE,
    },
  };
}

type Failure = NonNullable<WatchedFile['failure']>;

/** A file as clients see it, but with fixes that are worded for a model. */
function modelFile(file: WatchedFile, has: HasTool): ReturnType<typeof watchedFileView> {
  const view = watchedFileView(file);
  const { failure } = file;
  if (failure === undefined || view.failure === undefined) return view;
  const fix = fixOf(failure, has);
  const { errors: _, fix: __, ...plain } = view.failure;
  return { ...view, failure: { ...plain, ...(fix !== '' && { fix }) } };
}

/** The fixes of a failure as one text. A rejected request has them in its errors. */
const fixOf = ({ fix, errors = [] }: Failure, has: HasTool): string =>
  [fix, ...errors.map((error) => error.fix)]
    .flatMap((one) => (one === undefined ? [] : [modelHint(one, has)]))
    .join(' ');

function shortFailure(failure: Failure, has: HasTool) {
  const fix = fixOf(failure, has);
  const message = failure.errors?.[0]?.message ?? failure.message;
  return { code: failure.code, message, ...(fix !== '' && { fix }) };
}

async function retry({ watchId = '', paths }: Args, { deps, call }: ToolContext): Promise<ToolOutput> {
  const id = parseWatchId(watchId);
  const files = await deps.watches.retry(call.caller, id, paths);
  await call.audit('watch.retry', { target: id, details: { files } });
  return { structured: { watchId: id, files, next: stateHint(id) } };
}

async function change(args: Args, { deps, call, signal }: ToolContext): Promise<ToolOutput> {
  const id = parseWatchId(args.watchId ?? '');
  const { name: named, patterns: names, exclude: others, request: sent, source: after } = args;
  const body = defined({
    ...{ name: named, patterns: names, exclude: others, source: after },
    request: sent && { llmId: call.llmId, ...sent },
  });
  const changed = await deps.watches.change(call.caller, id, body, signal);
  await call.audit('watch.change', { target: id, details: { changed: Object.keys(body), state: changed.watch.state } });
  return { structured: shortWatch(changed, toolsOf(call.caller)) };
}

async function changeState(
  action: keyof typeof STATE_CHANGES,
  { watchId = '' }: Args,
  { deps, call, signal }: ToolContext,
): Promise<ToolOutput> {
  const id = parseWatchId(watchId);
  const changed = await deps.watches.change(call.caller, id, { state: STATE_CHANGES[action] }, signal);
  await call.audit('watch.change', { target: id, details: { changed: ['state'], state: changed.watch.state } });
  return { structured: shortWatch(changed, toolsOf(call.caller)) };
}

async function remove({ watchId = '' }: Args, { deps, call }: ToolContext): Promise<ToolOutput> {
  const id = parseWatchId(watchId);
  const { folder: watched } = await deps.watches.remove(call.caller, id);
  await call.audit('watch.delete', { target: id, details: { folder: watched } });
  return { structured: { watchId: id, next: 'The watch is deleted. Its jobs and all files stay.' } };
}
