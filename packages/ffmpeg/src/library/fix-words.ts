import { type Hint, type HintAction, hintText } from '@telecine/contract/domain/hint.ts';

/** The text of a fix. It is worded for the caller of the library, who has ffmpeg and the files at hand. */
export const fixWords = (fix: Hint): string => hintText(fix, wordsOf);

const LISTS = { formats: '-formats', codecs: '-codecs', filters: '-filters', options: '-h full' } as const;
const HELPS = { formats: 'muxer', codecs: 'encoder', filters: 'filter' } as const;

function wordsOf(action: HintAction): string {
  switch (action.do) {
    case 'search-capabilities':
    case 'list-capabilities':
      return `ffmpeg ${LISTS[action.kind]}`;
    case 'show-capability':
      return action.kind === 'options' ? 'ffmpeg -h full' : `ffmpeg -h ${HELPS[action.kind]}=${action.name}`;
    case 'find-recipe':
      return 'docs/recipes.md of Telecine';
    case 'list-files':
      return 'list the media root';
    case 'probe-file':
      return 'run ffprobe on the file';
    case 'upload-file':
      return 'copy it into the media root';
    case 'measure-errors':
      return 'ffmpeg -v error -i FILE -f null -';
    case 'read-job-log':
      return 'read the log';
    case 'retry-job':
    case 'repeat-request':
      return 'try again';
    case 'ask-operator':
      return action.to;
    default:
      return action.do.replaceAll('-', ' ');
  }
}
