import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { hasSpeechFilter, SPEECH_FILTER } from '../catalogue/changed-catalogue.ts';
import { SPEECH_MODEL } from './speech.ts';

/** The speech model of a machine. Empty: the operator has set none. */
export interface SpeechModel {
  readonly model?: Mount;
  /** Why the operator's model is not used, and how to fix that. */
  readonly unused?: { readonly reason: string; readonly fix: string };
}

/** Checks the model at the path in TELECINE_WHISPER_MODEL, for an ffmpeg with this catalogue. */
export async function findSpeechModel(
  path: string | undefined,
  catalogue: Pick<Catalogue, 'build' | 'lists'>,
): Promise<SpeechModel> {
  if (path === undefined) return {};
  if (!hasSpeechFilter(catalogue))
    return {
      unused: {
        reason: `ffmpeg ${catalogue.build.version} was built without the filter "${SPEECH_FILTER}".`,
        fix: 'Install an ffmpeg 8 that was built with --enable-whisper, or unset TELECINE_WHISPER_MODEL.',
      },
    };
  try {
    const hostPath = await realpath(path);
    await access(hostPath, constants.R_OK);
    if ((await stat(hostPath)).isFile()) return { model: { logical: SPEECH_MODEL, hostPath } };
  } catch {
    // If the file cannot be read, report it like a missing file.
  }
  return {
    unused: {
      reason: `${path} is not a file that this user can read.`,
      fix: 'Set TELECINE_WHISPER_MODEL to the file of a model of whisper.cpp, such as ggml-base.bin.',
    },
  };
}
