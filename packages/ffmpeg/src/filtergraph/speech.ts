import type { Transcription } from '@telecine/contract/domain/transcription.ts';
import { SPEECH_FILTER } from '../catalogue/changed-source.ts';

/** The captions in the argv. The run before the passes writes them, and the passes read them. */
export const CAPTIONS = 'pass/speech.srt';

/** The operator's model in the argv. Only the run before the passes sees it. */
export const SPEECH_MODEL = 'in/speech-model.bin';

/** The seconds of audio that the filter gets at a time. Models work on 30 s; less would cost as much, and cut more words. */
const WINDOW_SECONDS = 30;

/** The filter that writes `CAPTIONS`. Without `use_gpu=0`, it looks for a graphics card. */
export const speechFilter = ({ language = 'auto' }: Transcription): string =>
  `${SPEECH_FILTER}=model=${SPEECH_MODEL}:language=${language}:queue=${WINDOW_SECONDS}:use_gpu=0:destination=${CAPTIONS}:format=srt`;
