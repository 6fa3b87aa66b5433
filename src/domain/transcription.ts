/** Asks for captions of the speech in the input. */
export interface Transcription {
  /** One of `SPEECH_LANGUAGES`, or `auto`. Default: `auto`. */
  readonly language?: string;
}

/** The languages of whisper.cpp, by its codes. */
const CODES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy ' +
  'sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo ' +
  'uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue';

/** What `language` may be. */
export const SPEECH_LANGUAGES: readonly [string, ...string[]] = ['auto', ...CODES.split(' ')];
