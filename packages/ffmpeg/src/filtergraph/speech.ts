import type { Transcription } from '@telecine/contract/domain/transcription.ts';
import { SPEECH_FILTER } from '../catalogue/changed-catalogue.ts';

/** The captions file in the argv. The speech run writes it, the passes read it. */
export const CAPTIONS = 'pass/speech.srt';

/** The operator's speech model in the argv. Only the speech run can read it. */
export const SPEECH_MODEL = 'in/speech-model.bin';

/**
 * How much audio the filter passes to the model at a time, in seconds. Models process 30 s at a time, so less would cost as much, and would
 * cut more words.
 */
const WINDOW_SECONDS = 30;

/** The filter that writes `CAPTIONS`. Without `use_gpu=0`, it would look for a graphics card. */
export const speechFilter = ({ language = 'auto' }: Transcription): string =>
  `${SPEECH_FILTER}=model=${SPEECH_MODEL}:language=${language}:queue=${WINDOW_SECONDS}:use_gpu=0:destination=${CAPTIONS}:format=srt`;
