import type { Transcription } from '@telecine/contract/domain/transcription.ts';
import { SPEECH_FILTER } from '../catalogue/changed-source.ts';

/** The path of the captions file in the argv. The speech run writes the file, and the passes read it. */
export const CAPTIONS = 'pass/speech.srt';

/** The path of the operator's speech model in the argv. Only the speech run can read this file. */
export const SPEECH_MODEL = 'in/speech-model.bin';

/**
 * The length of audio for each step of the filter, in seconds. Models process 30 s at a time. A shorter length would cost as much, and
 * would cut more words.
 */
const WINDOW_SECONDS = 30;

/** The filter that writes the file `CAPTIONS`. Without `use_gpu=0`, the filter looks for a graphics card. */
export const speechFilter = ({ language = 'auto' }: Transcription): string =>
  `${SPEECH_FILTER}=model=${SPEECH_MODEL}:language=${language}:queue=${WINDOW_SECONDS}:use_gpu=0:destination=${CAPTIONS}:format=srt`;
