import type { WatchedFileList } from '@telecine/client/api.ts';
import { failureGroups, filesText } from '@telecine/contract/domain/watch-text.ts';
import type { Command } from 'commander';
import { addOperationVerbs } from '../session/operation-verbs.ts';
import { pathOnServer } from './convert/file-names.ts';
import { watchIdOf } from './watch/named-watch.ts';
import { type ShownWatch, showDryRun, showFiles, showWatch, showWatches } from './watch/watch-lines.ts';
import { addRequestOptions, withRequest, withRequestChange } from './watch/watch-request.ts';

/** The maximum number of failed files that are read for one watch. */
const MOST_FAILED = 500;

const HELP = `
  telecine watch add in/ --to out/ -f mp4 --preset web-h264 --dry-run   # what it would convert
  telecine watch add in/ --to 'out/{folder}{name}-{height}p.mp4' --name incoming --pattern '*.mov' --source done/
  telecine watch show incoming         # its state, and what failed with the fixes
  telecine watch retry incoming        # converts again what needs attention
  telecine watch change incoming --pattern '*.mov' --source done/
  telecine watch pause incoming        # also: resume, delete`;

export function declare(watch: Command): void {
  watch.addHelpText('after', HELP);
  const read = { watchId: watchIdOf };
  addOperationVerbs(watch, {
    createWatch: {
      add: addRequestOptions,
      // `server:` alone is the media root.
      read: { folder: (folder) => pathOnServer(folder) || '/' },
      send: async (sent, flags, { next }) => next(await withRequest(sent, flags)),
      show: (made) => ('watchId' in made ? showWatch(made) : showDryRun(made)),
    },
    changeWatch: {
      add: addRequestOptions,
      read,
      send: async (sent, flags, { next }) => next(await withRequestChange(sent, flags)),
      show: showWatch,
    },
    listWatches: { show: ({ watches }) => showWatches(watches) },
    getWatch: {
      read,
      send: async (sent, _flags, { next, call }) => {
        const query = { state: 'NEEDS_ATTENTION', limit: MOST_FAILED };
        const [found, failed] = await Promise.all([next(sent), call('listWatchedFiles', { ...sent, query })]);
        return { ...found, failures: failureGroups((failed as WatchedFileList).files) } satisfies ShownWatch;
      },
      show: showWatch,
    },
    listWatchedFiles: { read, show: ({ files }) => showFiles(files) },
    retryWatchedFiles: {
      read: { ...read, paths: pathOnServer },
      show: ({ files, reason }) => [reason ?? `${filesText(files)} will be converted again.`],
    },
    deleteWatch: { read },
  });
}
