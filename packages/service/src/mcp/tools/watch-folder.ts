import { failureGroups, groupedText } from '@telecine/contract/domain/watch-text.ts';
import { WATCH_OPERATIONS } from '@telecine/contract/wire/operations/watches.ts';
import type { WatchedFileListView, WatchListView, WatchView } from '@telecine/contract/wire/watch.ts';
import { modelWarnings } from '../results/model-hint.ts';
import { toolsOf } from '../tool-names.ts';
import { type Action, operationAction, operationTool } from './operation-tool.ts';

/** How many failed files and newest jobs are read, and how many paths of a group of failures are shown. */
const READ = { failed: 200, jobs: 20, shown: 5 };

const watchAction = <id extends keyof typeof WATCH_OPERATIONS>(id: id): Action =>
  operationAction(WATCH_OPERATIONS[id], ({ watches }) => watches[id]);

/** Lists watches without their requests, which can be long. */
const list: Action = {
  ...watchAction('listWatches'),
  run: async (sent, context) => {
    const { body } = await watchAction('listWatches').run(sent, context);
    return { body: { watches: (body as WatchListView).watches.map(({ request: _, ...watch }) => watch) } };
  },
};

/** Shows a watch with its failures by reason, and the warnings about its newest jobs. */
const get: Action = {
  ...watchAction('getWatch'),
  run: async (sent, context) => {
    const watch = (await watchAction('getWatch').run(sent, context)).body as WatchView;
    const query = { state: 'NEEDS_ATTENTION', limit: READ.failed } as never;
    const { body } = await watchAction('listWatchedFiles').run({ ...sent, query }, context);
    const groups = failureGroups((body as WatchedFileListView).files);
    const failures = groups.map(({ paths, ...group }) => ({
      ...group,
      ...{ files: paths.length, paths: paths.slice(0, READ.shown) },
    }));
    const failuresOf = groupedText(groups, watch.counts);
    const { caller } = context.call;
    const { jobs } = await context.deps.jobs.list(caller, { watchId: watch.watchId, limit: READ.jobs });
    const warnings = new Map(jobs.flatMap((job) => job.warnings ?? []).map((one) => [one.code, one]));
    return {
      body: { ...watch, failures, failuresOf, warnings: modelWarnings([...warnings.values()], toolsOf(caller)) },
    };
  },
};

export const watchFolderTool = operationTool({
  name: 'watch_folder',
  title: 'Watch a folder',
  description: (has) =>
    `Converts the files of a folder, and each that lands there later, once, until paused. Only if the user wants that; ${has('convert_media') ? 'for the files of today alone, convert_media with "each". ' : ''}First send "dryRun": true, and tell the user what it finds. "get" shows state, settings, and failures with their fixes; "change" sets what is sent, also "request" as a whole, and "state"; "retry" converts failed files again.`,
  // Destructive: a watch can delete its sources. Not repeatable: a second call makes a second watch.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  assumed: 'create',
  actions: {
    create: watchAction('createWatch'),
    list,
    get,
    change: watchAction('changeWatch'),
    retry: watchAction('retryWatchedFiles'),
    delete: watchAction('deleteWatch'),
  },
  argumentTexts: {
    watchId: 'For all but "create" and "list".',
    paths: 'For "retry": only these files.',
    request:
      'A conversion without "input": {"preset": {"name": "web-h264"}, "output": "out/{folder}{name}.mp4"}. Also {date}, {width}, {height}.',
    source: 'What happens to a converted file: "keep", "delete" or {"moveTo": "done/"}.',
    existing: '"ignore": leave the files that are there now. Default: convert them too.',
    ...{ folder: 'Such as "in/".', patterns: 'Such as ["*.mov"]; default: all media.', exclude: '' },
    ...{ client: '', dryRun: '', name: '', subfolders: '', changed: '', settleSeconds: '', maxUnfinished: '' },
    ...{ every: '', state: '' },
  },
});
